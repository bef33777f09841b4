import type { JsonObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { Kept } from './auth-store.js';
import type { ClientAuthMethod, ClientInformation } from './client-information.js';
import type { ClientRequest } from './client-request.js';
import { digestOf } from './digest.js';
import type { GrantTools } from './grant.js';

/** How often a swap is tried that somebody else comes before: he leaves what is read next. */
const attempts = 4;

/** Milliseconds before a secret expires from which on it is not begun with. */
const expirySkew = 60_000;

/** One client that registered by itself, in the store: by issuer, redirect URIs, kind and name. */
export class KeptRegistration {
  readonly #name: string;
  readonly #issuer: string;
  readonly #tools: Pick<GrantTools, 'store' | 'clock'>;

  private constructor(name: string, issuer: string, tools: Pick<GrantTools, 'store' | 'clock'>) {
    this.#name = name;
    this.#issuer = issuer;
    this.#tools = tools;
  }

  static of({ server, identity, grantType, interaction, tools }: ClientRequest): KeptRegistration {
    const { redirectUris, applicationType } = interaction;
    const name = [server.issuer, identity.dynamic?.name ?? '', grantType, applicationType, ...redirectUris];
    return new KeptRegistration(JSON.stringify(name), server.issuer, tools);
  }

  /** The client that is kept, or else a new one, which is kept then; where somebody else was faster, it is his. */
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

  /** The client that is kept, if one is. */
  async read(): Promise<ClientInformation | undefined> {
    return this.#clientIn(await this.#tools.store.get(await this.#key()));
  }

  /** Forgets that client, unless another is kept by now. */
  async forget(clientId: string): Promise<void> {
    const { store } = this.#tools;
    const key = await this.#key();
    for (let attempt = 0; attempt < attempts; attempt++) {
      const kept = await store.get(key);
      if (kept?.value.clientId !== clientId) return;
      if (await store.swap(key, kept.version, undefined)) return;
    }
    throw unsteady();
  }

  async #key(): Promise<string> {
    return `client:${await digestOf(this.#name)}`;
  }

  #written(client: ClientInformation): JsonObject {
    const { clientId, clientSecret, secretExpiresAt, authMethod } = client;
    return {
      issuer: this.#issuer,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(secretExpiresAt !== undefined && { secretExpiresAt }),
      ...(authMethod !== undefined && { authMethod }),
    };
  }

  /** Undefined for what cannot be used: of another issuer, expired, or not as it was written. */
  #clientIn(kept: Kept | undefined): ClientInformation | undefined {
    const { issuer, clientId, clientSecret, secretExpiresAt, authMethod } = kept?.value ?? {};
    if (issuer !== this.#issuer || typeof clientId !== 'string' || clientId === '') return undefined;
    if (typeof secretExpiresAt === 'number' && secretExpiresAt - expirySkew <= this.#tools.clock.now())
      return undefined;
    return {
      clientId,
      clientSecret: typeof clientSecret === 'string' ? clientSecret : undefined,
      secretExpiresAt: typeof secretExpiresAt === 'number' ? secretExpiresAt : undefined,
      authMethod: isMethod(authMethod) ? authMethod : undefined,
    };
  }
}

function isMethod(value: unknown): value is ClientAuthMethod {
  return value === 'none' || value === 'client_secret_basic' || value === 'client_secret_post';
}

function unsteady(): AuthError {
  return new AuthError('storage', 'The store changes an entry faster than it can be read.');
}
