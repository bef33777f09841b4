import { withoutControls } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';
import { digestOf } from './digest.js';
import { isPrivateWay } from './private-way.js';

/** Whose credentials are pinned, and to what. */
export interface IssuerPinOptions {
  /** Whom a message names, such as `clientCredentials()`. */
  readonly owner: string;
  /** The only issuer they are for; undefined for the first one that is seen. */
  readonly issuer: string | undefined;
  /** Under what the first one is remembered in the store; in memory alone where it is empty. */
  readonly clientId: string;
}

/**
 * Keeps credentials for one issuer: the one that is configured, else the first that a server names, which is remembered.
 * A server that names another later, or another server, gets none of them.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#authorization-server-binding
 */
export class IssuerPin {
  readonly #options: IssuerPinOptions;
  #issuer: string | undefined;

  constructor(options: IssuerPinOptions) {
    this.#options = options;
    this.#issuer = options.issuer;
  }

  /** @throws AuthError `not-registered` for any other issuer; what the store throws. */
  async require(issuer: string, store: AuthStore): Promise<void> {
    if (this.#issuer === undefined && this.#options.clientId !== '') {
      const kept = await this.#kept(issuer, store);
      this.#issuer ??= kept;
    }
    this.#issuer ??= issuer;
    if (this.#issuer === issuer) return;
    const [own, named] = [this.#issuer, issuer].map((text) => withoutControls(text.slice(0, 200)));
    const moved =
      this.#options.issuer === undefined ? ' If that is right, say so with the option issuer.' : '';
    throw new AuthError(
      'not-registered',
      `The credentials of ${this.#options.owner} are for ${own}, and the server names ${named}: nothing was sent.${moved}`,
    );
  }

  /** The issuer that is remembered: the one given, unless there was one before. */
  async #kept(issuer: string, store: AuthStore): Promise<string> {
    const key = `issuer:${await digestOf(this.#options.clientId)}`;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const kept = await store.get(key);
      if (typeof kept?.value.issuer === 'string') return kept.value.issuer;
      if (await store.swap(key, kept?.version, { issuer })) return issuer;
    }
    throw new AuthError('storage', 'The store changes an entry faster than it can be read.');
  }
}

/** How often a swap is tried that somebody else comes before: he leaves what is read next. */
const attempts = 4;

/**
 * Refuses what is no issuer's identifier.
 * @throws TypeError
 */
export function requireIssuer(owner: string, issuer: string): void {
  const url = isUrl(issuer) ? new URL(issuer) : undefined;
  const isIssuer = url !== undefined && isPrivateWay(url) && !/[?#]/.test(issuer) && url.username === '';
  if (!isIssuer) {
    throw new TypeError(
      `${owner}: issuer must be the https address that the authorization server has in its metadata, without query and fragment.`,
    );
  }
}
