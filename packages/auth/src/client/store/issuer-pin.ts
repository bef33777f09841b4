import { withoutControls } from '@tenon/foundation';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../../auth-error.js';
import { digestOf } from '../../crypto/digest.js';
import { isHttpsOrLoopback } from '../../http/url-host.js';
import type { AuthStore } from './auth-store.js';
import { changeEntry } from './change-entry.js';

/** Options of {@link IssuerPin}. */
export interface IssuerPinOptions {
  /** The function with these credentials, for errors, such as `clientCredentials()`. */
  readonly owner: string;
  /** The only issuer they are for; undefined for the first issuer that a server names. */
  readonly issuer: string | undefined;
  /** The key under which the first issuer is stored; only in memory if it is empty. */
  readonly clientId: string;
}

/**
 * Binds credentials to one issuer: the configured one, or else the first that a server names, which is stored. Credentials are
 * not sent to any other issuer that a server names later.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#authorization-server-binding
 */
export class IssuerPin {
  readonly #options: IssuerPinOptions;
  #issuer: string | undefined;

  constructor(options: IssuerPinOptions) {
    this.#options = options;
    this.#issuer = options.issuer;
  }

  /** @throws AuthError `not-registered` for any other issuer; the error of the store. */
  async require(issuer: string, store: AuthStore): Promise<void> {
    if (this.#issuer === undefined && this.#options.clientId !== '') {
      const kept = await this.#kept(issuer, store);
      this.#issuer ??= kept;
    }
    this.#issuer ??= issuer;
    if (this.#issuer === issuer) return;
    const [own, named] = [this.#issuer, issuer].map((text) => withoutControls(text.slice(0, 200)));
    const moved = this.#options.issuer === undefined ? ' If that is correct, set the option issuer.' : '';
    throw new AuthError(
      'not-registered',
      `The credentials of ${this.#options.owner} are for ${own}, and the server names ${named}: nothing was sent.${moved}`,
    );
  }

  /** Returns the stored issuer; stores this one if there is none. */
  async #kept(issuer: string, store: AuthStore): Promise<string> {
    const key = `issuer:${await digestOf(this.#options.clientId)}`;
    const kept = await changeEntry({ store, key }, (value) =>
      typeof value?.issuer === 'string' ? value : { issuer },
    );
    return kept?.issuer as string;
  }
}

/**
 * Rejects a text that cannot be the identifier of an issuer.
 * @throws TypeError
 */
export function requireIssuer(owner: string, issuer: string): void {
  const url = isUrl(issuer) ? new URL(issuer) : undefined;
  const isIssuer = url !== undefined && isHttpsOrLoopback(url) && !/[?#]/.test(issuer) && url.username === '';
  if (!isIssuer) {
    throw new TypeError(
      `${owner}: issuer must be the https address in the metadata of the authorization server, without query and fragment.`,
    );
  }
}
