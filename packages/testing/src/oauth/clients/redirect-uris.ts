import { isUrl } from '@tenon/mcp-protocol/internal';

const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/i;
const dangerous = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:']);

/**
 * True where an address is one of those that are registered, compared as they are written; of an http address on this machine
 * any port will do.
 * https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  return registered.some(
    (known) => known === asked || (loopback.test(known) && portless(known) === portless(asked)),
  );
}

/** What is wrong with a redirect URI that is to be registered; undefined where nothing is. */
export function redirectFlaw(uri: string, applicationType: 'web' | 'native' | 'any'): string | undefined {
  if (!isUrl(uri)) return 'is no absolute URI';
  const { protocol } = new URL(uri);
  if (uri.includes('#')) return 'has a fragment';
  if (dangerous.has(protocol)) return `has the scheme ${protocol}`;
  const isLoopback = loopback.test(uri);
  if (protocol === 'http:' && !isLoopback) return 'is neither https nor on this machine';
  if (applicationType === 'web' && (protocol !== 'https:' || isLocalHost(uri)))
    return 'is not for a web application, which needs https and a host that is not localhost';
  if (applicationType === 'native' && protocol === 'https:')
    return 'is not for a native application, which needs http on this machine or a scheme of its own';
  return undefined;
}

/** True for addresses on this machine, which another program might listen at. */
export function isLoopbackUri(uri: string): boolean {
  return loopback.test(uri);
}

function isLocalHost(uri: string): boolean {
  return new URL(uri).hostname === 'localhost';
}

function portless(uri: string): string {
  const [origin] = loopback.exec(uri) ?? [];
  return origin === undefined ? uri : origin.replace(/:\d+$/, '') + uri.slice(origin.length);
}
