import { isUrl } from '@tenon/mcp-protocol/internal';

const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/i;
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:']);

/**
 * True if a URI equals a registered one as written. The port of an http URI on this machine may differ.
 * https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  return registered.some(
    (known) => known === asked || (loopback.test(known) && portless(known) === portless(asked)),
  );
}

/** Returns the problem with a redirect URI to register; undefined if it is valid. */
export function redirectProblem(uri: string, applicationType: 'web' | 'native' | 'any'): string | undefined {
  if (!isUrl(uri)) return 'is not an absolute URI';
  const { protocol, hostname } = new URL(uri);
  if (uri.includes('#')) return 'has a fragment';
  if (dangerous.has(protocol)) return `has the scheme ${protocol}`;
  const isLoopback = loopback.test(uri);
  if (protocol === 'http:' && !isLoopback) return 'must use https or be on this machine';
  if (applicationType === 'web' && (protocol !== 'https:' || hostname === 'localhost'))
    return 'is not allowed for a web application: use https and a host other than localhost';
  if (applicationType === 'native' && protocol === 'https:')
    return 'is not allowed for a native application: use http on this machine or a private scheme';
  return undefined;
}

/** True if a URI is on this machine, where another program might listen. */
export function isLoopbackUri(uri: string): boolean {
  return loopback.test(uri);
}

function portless(uri: string): string {
  const [origin] = loopback.exec(uri) ?? [];
  return origin === undefined ? uri : origin.replace(/:\d+$/, '') + uri.slice(origin.length);
}
