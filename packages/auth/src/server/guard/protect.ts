import type { Guardable } from '@tenon/mcp-protocol';
import type { ProtectOptions } from './protect-options.js';
import { ResourceGuard } from './resource-guard.js';

/**
 * Requires a valid access token for the HTTP endpoints of a server, or for one HTTP handler of it; other requests are answered
 * with a challenge that says where to get a token. Call it before the server is served. If the URL is known only then, use the
 * option `protect` of `serveHttp` with a {@link ResourceGuard}; `serveHttp` rejects an unprotected server with `scopes`.
 * @throws TypeError or RangeError if an option is invalid, or if the server is already protected.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function protect<Target extends Guardable>(target: Target, options: ProtectOptions): Target {
  if (typeof target?.guard !== 'function') {
    throw new TypeError('protect() requires a server of createServer, or an HTTP handler of one.');
  }
  target.guard(new ResourceGuard(options));
  return target;
}
