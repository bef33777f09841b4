import type { JsonObject } from '@tenon/mcp-protocol';
import type { NextValue } from '@tenon/mcp-state/internal';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantTools } from '../oauth/grant.js';
import type { Interaction } from '../oauth/interaction.js';
import { digestOf } from '../oauth/secrets.js';
import { changeEntry } from '../store/change-entry.js';
import type { ClientIdentity } from './client-identity.js';
import { isRegistrable } from './registration-metadata.js';

/** The part of an {@link Interaction} that a registration declares. */
export type ReturnPath = Pick<Interaction, 'redirectUris' | 'urisToRegister' | 'accepts' | 'applicationType'>;

export interface ClientRequest {
  readonly server: AuthorizationServer;
  readonly identity: ClientIdentity;
  /** The grant that the client is for, such as `authorization_code`. */
  readonly grantType: string;
  readonly interaction: ReturnPath;
  /** Scopes that the client is going to request, if they are known. */
  readonly scopes?: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'store' | 'clock' | 'signal'>;
}

/** Milliseconds before its expiry from which a secret is not used for a new sign-in. */
const expirySkew = 60_000;

/** The parts of a {@link ClientRequest} that name a stored client. */
export interface StoredClient
  extends Pick<ClientRequest, 'identity' | 'grantType' | 'interaction' | 'tools'> {
  readonly server: Pick<ClientRequest['server'], 'issuer'>;
}

/** The entry of a dynamically registered client in the store, by issuer, redirect URIs, type and name. */
export class StoredRegistration {
  readonly #name: string;
  readonly #issuer: string;
  readonly #tools: Pick<GrantTools, 'store' | 'clock'>;

  constructor({ server, identity, grantType, interaction, tools }: StoredClient) {
    const { redirectUris, applicationType } = interaction;
    const name = [server.issuer, identity.dynamic?.name ?? '', grantType, applicationType, ...redirectUris];
    this.#name = JSON.stringify(name);
    this.#issuer = server.issuer;
    this.#tools = tools;
  }

  /** Returns the stored client; registers and stores one if there is none. If another process was faster, returns its client. */
  async take(register: () => Promise<ClientInformation>): Promise<ClientInformation> {
    const kept = await this.read();
    if (kept !== undefined) return kept;
    const fresh = await register();
    let taken = fresh;
    await this.#change((value) => {
      const other = this.#clientIn(value);
      taken = other ?? fresh;
      return other === undefined ? this.#written(fresh) : value;
    });
    return taken;
  }

  /** Returns the stored client; undefined if there is none. */
  async read(): Promise<ClientInformation | undefined> {
    return this.#clientIn((await this.#tools.store.get(await this.#key()))?.value);
  }

  /** Deletes the stored client, unless it has another id than a given one. */
  async forget(clientId: string | undefined): Promise<void> {
    await this.#change((kept) => (clientId !== undefined && kept?.clientId !== clientId ? kept : undefined));
  }

  async #change(next: NextValue<JsonObject>): Promise<void> {
    await changeEntry({ store: this.#tools.store, key: await this.#key() }, next);
  }

  async #key(): Promise<string> {
    return `client:${await digestOf(this.#name)}`;
  }

  #written(client: ClientInformation): JsonObject {
    const { clientId, clientSecret, secretExpiresAt, authMethod, redirectUris } = client;
    return {
      issuer: this.#issuer,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(secretExpiresAt !== undefined && { secretExpiresAt }),
      ...(authMethod !== undefined && { authMethod }),
      ...(redirectUris !== undefined && { redirectUris: [...redirectUris] }),
    };
  }

  /** Returns undefined if the client is unusable: of another issuer, expired, or malformed. */
  #clientIn(kept: JsonObject | undefined): ClientInformation | undefined {
    const { issuer, clientId, clientSecret, secretExpiresAt, authMethod, redirectUris } = kept ?? {};
    if (issuer !== this.#issuer || typeof clientId !== 'string' || clientId === '') return undefined;
    if (typeof secretExpiresAt === 'number' && secretExpiresAt - expirySkew <= this.#tools.clock.now())
      return undefined;
    return {
      clientId,
      clientSecret: typeof clientSecret === 'string' ? clientSecret : undefined,
      secretExpiresAt: typeof secretExpiresAt === 'number' ? secretExpiresAt : undefined,
      authMethod: isRegistrable(authMethod) ? authMethod : undefined,
      redirectUris: isTexts(redirectUris) ? redirectUris : undefined,
    };
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}
