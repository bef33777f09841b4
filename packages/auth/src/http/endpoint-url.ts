import { isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { isLoopbackUrl, secureUrl, TrustedHosts } from './url-host.js';

/** A URL as it is written in a document. */
export interface EndpointText {
  readonly text: unknown;
  /** The name of its member in the document. */
  readonly name: string;
  /** The owner of the document, for error texts. */
  readonly of: string;
  /** Hosts or origins that are trusted; http is allowed for the origins. */
  readonly allow?: readonly string[] | undefined;
}

const longest = 2_048;

/**
 * Returns the URL of an endpoint: https, or http on this machine, without credentials and fragment. `AddressPolicy` checks
 * its address when a request is sent.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#communication-security
 * @throws AuthError `forbidden-address`
 */
export function endpointUrl({ text, name, of, allow }: EndpointText): URL {
  const refuse = (why: string) =>
    new AuthError('forbidden-address', `The ${name} of ${of} cannot be used: ${why}.`);
  if (typeof text !== 'string' || text.length > longest || !isUrl(text)) {
    throw refuse('it is not a valid URL');
  }
  // The URL parser drops or converts some of these characters, so that equal URLs could have different texts.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text))
    throw refuse('it contains spaces, backslashes or characters that are not ASCII');
  const url = new URL(text);
  const problem = addressProblem(url, allow);
  if (problem !== undefined) throw refuse(problem);
  if (text.includes('#')) throw refuse('it has a fragment');
  return url;
}

/**
 * Rejects a URL that the user must not be sent to: anything but https, and http on this machine.
 * @throws AuthError `forbidden-address`
 */
export function requireAuthorizationUrl(url: URL, allow?: readonly string[]): void {
  const problem = addressProblem(url, allow);
  if (problem === undefined) return;
  throw new AuthError('forbidden-address', `The user is not sent to a ${url.protocol} address: ${problem}.`);
}

function addressProblem(url: URL, allow: readonly string[] = []): string | undefined {
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'it is not a web address';
  if (username !== '' || password !== '') return 'it contains a user name or password';
  if (protocol === 'https:' || isLoopbackUrl(url) || new TrustedHosts(allow).has(url)) return undefined;
  return 'it is not https';
}

/**
 * Rejects a text that cannot be the identifier of an issuer.
 * @throws TypeError
 */
export function requireIssuer(owner: string, issuer: string): void {
  if (secureUrl(issuer) !== undefined && !/[?#]/.test(issuer)) return;
  throw new TypeError(
    `${owner}: issuer must be the https address in the metadata of the authorization server, without query and fragment.`,
  );
}
