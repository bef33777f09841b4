import { optionRules, requireOptions } from '@tenon/foundation';
import type {
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  AuthProvider,
} from '@tenon/mcp-protocol';
import { isHttpsOrLoopback, isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { isAtOrigin, TrustedHosts } from '../http/url-host.js';

/** Options of {@link passToken}. */
export interface PassTokenOptions {
  /** Returns the access token to pass on. It must always be that of the same user. Called for each request. */
  readonly token: (server: URL) => string | undefined | Promise<string | undefined>;
  /** The audience of tokens for the server. Default: the URL of the server. */
  readonly audience?: string;
  /** Hosts or origins that may receive tokens although they are not https. */
  readonly allow?: readonly string[];
}

/**
 * Passes tokens on to the server that they are for: JSON Web Tokens with the server as their only audience. A token of any other
 * audience is not sent, because the server could use it in the name of the user elsewhere. The signature is not checked.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#access-token-privilege-restriction
 * @throws TypeError if an option is invalid.
 */
export function passToken(options: PassTokenOptions): AuthProvider {
  const { callable, text, texts } = optionRules;
  requireOptions('passToken()', options, { token: callable, audience: text, allow: texts });
  if (options.token === undefined) throw new TypeError('passToken(): the function token is missing.');
  const trusted = new TrustedHosts(options.allow);
  return {
    authorizer(server) {
      if (!isHttpsOrLoopback(server) && !trusted.has(server)) {
        throw new AuthError(
          'forbidden-address',
          `No token is passed on to ${server.origin}, because it is not https.`,
        );
      }
      return new PassedToken(server, options);
    },
  };
}

class PassedToken implements Authorizer {
  readonly #server: URL;
  readonly #options: PassTokenOptions;

  constructor(server: URL, options: PassTokenOptions) {
    this.#server = server;
    this.#options = options;
  }

  async authorize({ url }: AuthorizedRequest): Promise<AuthorizationHeaders | undefined> {
    const { origin } = this.#server;
    if (!isAtOrigin(url, origin)) return undefined;
    const { token: source, audience = withoutFragment(this.#server) } = this.#options;
    const token = await source(this.#server);
    if (token === undefined || token === '')
      throw new AuthError('sign-in-needed', `There is no token of the user to pass on to ${origin}.`);
    const problem = await audienceProblem(token, audience);
    if (problem === undefined) return { authorization: `Bearer ${token}` };
    throw new AuthError(
      'mismatch',
      `The token of the user is not passed on to ${origin}: ${problem}. Request a token for ${audience}, or exchange it with tokenExchange().`,
    );
  }

  async challenged({ request }: AuthorizationChallenge): Promise<boolean> {
    const { origin } = this.#server;
    if (!isAtOrigin(request.url, origin)) return false;
    throw new AuthError('refused', `${origin} rejects the token of the user that was passed on.`);
  }
}

/** Returns the reason why a token is not only for an audience. */
async function audienceProblem(token: string, audience: string): Promise<string | undefined> {
  const { decodeJwt } = await import('jose/jwt/decode');
  let audiences: readonly unknown[];
  try {
    audiences = [decodeJwt(token).aud ?? []].flat();
  } catch {
    return 'it is not a JSON Web Token, so its audience is unknown';
  }
  if (audiences.length === 0) return 'it names no audience';
  if (!audiences.some((one) => isSame(one, audience))) return 'it is for another audience';
  return audiences.every((one) => isSame(one, audience)) ? undefined : 'it is also for other audiences';
}

/** True for equal texts, and for texts of the same URL. */
function isSame(one: unknown, audience: string): boolean {
  if (one === audience) return true;
  return (
    typeof one === 'string' && isUrl(one) && isUrl(audience) && new URL(one).href === new URL(audience).href
  );
}

function withoutFragment(server: URL): string {
  const url = new URL(server);
  url.hash = '';
  return url.href;
}
