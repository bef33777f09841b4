import type { JsonObject } from '@tenon/mcp-protocol';
import { AuthError } from '../../auth-error.js';
import { digestOf } from '../../crypto/digest.js';
import type { GrantTools } from '../grants/grant.js';
import type { StoredEntry } from '../store/auth-store.js';
import type { ClientAuthMethod, ClientInformation } from './client-information.js';
import type { ClientRequest } from './client-request.js';

/** Attempts to write, while others change the store at the same time. */
const attempts = 4;

/** Milliseconds before its expiry from which a secret is not used for a new sign-in. */
const expirySkew = 60_000;

/** The parts of a {@link ClientRequest} that name a stored client. */
interface StoredClient extends Pick<ClientRequest, 'identity' | 'grantType' | 'interaction' | 'tools'> {
  readonly server: Pick<ClientRequest['server'], 'issuer'>;
}

/** The entry of a dynamically registered client in the store, by issuer, redirect URIs, type and name. */
export class StoredRegistration {
  readonly #name: string;
  readonly #issuer: string;
  readonly #tools: Pick<GrantTools, 'store' | 'clock'>;

  private constructor(name: string, issuer: string, tools: Pick<GrantTools, 'store' | 'clock'>) {
    this.#name = name;
    this.#issuer = issuer;
    this.#tools = tools;
  }

  static of({ server, identity, grantType, interaction, tools }: StoredClient): StoredRegistration {
    const { redirectUris, applicationType } = interaction;
    const name = [server.issuer, identity.dynamic?.name ?? '', grantType, applicationType, ...redirectUris];
    return new StoredRegistration(JSON.stringify(name), server.issuer, tools);
  }

  /** Returns the stored client; registers and stores one if there is none. If another process was faster, returns its client. */
  async take(register: () => Promise<ClientInformation>): Promise<ClientInformation> {
    const { store } = this.#tools;
    const key = await this.#key();
    let fresh: ClientInformation | undefined;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const kept = await store.get(key);
      const client = this.#clientIn(kept);
      if (client !== undefined) return client;
      fresh ??= await register();
      if (await store.swap(key, kept?.version, this.#written(fresh))) return fresh;
    }
    throw unsteady();
  }

  /** Returns the stored client; undefined if there is none. */
  async read(): Promise<ClientInformation | undefined> {
    return this.#clientIn(await this.#tools.store.get(await this.#key()));
  }

  /** Deletes the stored client, unless it has another id than a given one. */
  async forget(clientId: string | undefined): Promise<void> {
    const { store } = this.#tools;
    const key = await this.#key();
    for (let attempt = 0; attempt < attempts; attempt++) {
      const kept = await store.get(key);
      if (kept === undefined || (clientId !== undefined && kept.value.clientId !== clientId)) return;
      if (await store.swap(key, kept.version, undefined)) return;
    }
    throw unsteady();
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
  #clientIn(kept: StoredEntry | undefined): ClientInformation | undefined {
    const { issuer, clientId, clientSecret, secretExpiresAt, authMethod, redirectUris } = kept?.value ?? {};
    if (issuer !== this.#issuer || typeof clientId !== 'string' || clientId === '') return undefined;
    if (typeof secretExpiresAt === 'number' && secretExpiresAt - expirySkew <= this.#tools.clock.now())
      return undefined;
    return {
      clientId,
      clientSecret: typeof clientSecret === 'string' ? clientSecret : undefined,
      secretExpiresAt: typeof secretExpiresAt === 'number' ? secretExpiresAt : undefined,
      authMethod: isMethod(authMethod) ? authMethod : undefined,
      redirectUris: isTexts(redirectUris) ? redirectUris : undefined,
    };
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function isMethod(value: unknown): value is ClientAuthMethod {
  return value === 'none' || value === 'client_secret_basic' || value === 'client_secret_post';
}

function unsteady(): AuthError {
  return new AuthError('storage', 'The store changed during every attempt to write to it.');
}
