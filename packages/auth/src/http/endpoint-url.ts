import { isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { TrustedPlaces } from './trusted-places.js';
import { isLoopbackUrl } from './url-host.js';

/** What stands in a document as an address. */
export interface EndpointText {
  readonly text: unknown;
  /** What it is called there. */
  readonly name: string;
  /** Whose document it is, as the error says it. */
  readonly of: string;
  /** Hosts or origins that are trusted; http will do for origins among them. */
  readonly allow?: readonly string[] | undefined;
}

const longest = 2_048;

/**
 * The address of an endpoint: https, or http on this machine, without credentials and fragment. Where it may lead is another
 * question, which is asked when it is used.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#communication-security
 * @throws AuthError `forbidden-address`
 */
export function endpointUrl({ text, name, of, allow }: EndpointText): URL {
  const refuse = (why: string) =>
    new AuthError('forbidden-address', `The ${name} of ${of} cannot be used: ${why}.`);
  if (typeof text !== 'string' || text.length > longest || !isUrl(text)) {
    throw refuse('it is no address');
  }
  // Some of them are dropped or turned around when a URL is read, which whoever compares texts does not see.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text))
    throw refuse('it holds blanks, backslashes or what is not ASCII');
  const url = new URL(text);
  const flaw = addressFlaw(url, allow);
  if (flaw !== undefined) throw refuse(flaw);
  if (text.includes('#')) throw refuse('it has a fragment');
  return url;
}

/**
 * Refuses an address that a user must not be sent to, by a browser or otherwise: all but https, and http on this machine.
 * @throws AuthError `forbidden-address`
 */
export function requireAuthorizationUrl(url: URL, allow?: readonly string[]): void {
  const flaw = addressFlaw(url, allow);
  if (flaw === undefined) return;
  throw new AuthError('forbidden-address', `The user is not sent to an address of ${url.protocol}: ${flaw}.`);
}

function addressFlaw(url: URL, allow: readonly string[] = []): string | undefined {
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'it is no web address';
  if (username !== '' || password !== '') return 'it holds a user name or password';
  if (protocol === 'https:' || isLoopbackUrl(url) || new TrustedPlaces(allow).has(url)) return undefined;
  return 'it is not https';
}
