import type { Guardable } from '@tenon/mcp-protocol';
import type { ProtectOptions } from './protect-options.js';
import { ResourceGuard } from './resource-guard.js';

/**
 * Keeps the HTTP endpoints of a server, or one HTTP handler of it, for those whose tokens are valid, and tells everybody
 * else where to get one. It may be called before the server is served, or right
 * after, with nothing awaited in between: until then everybody is let in.
 * @throws TypeError or RangeError for options that cannot work, and for what is protected already.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function protect<Target extends Guardable>(target: Target, options: ProtectOptions): Target {
  if (typeof target?.guard !== 'function') {
    throw new TypeError('protect takes a server of createServer, or an HTTP handler of one.');
  }
  target.guard(new ResourceGuard(options));
  return target;
}
