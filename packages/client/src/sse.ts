import type { AuthProvider } from '@tenon/mcp-protocol';
import { requireHttpUrl } from '@tenon/mcp-transport-http/client';
import { openSse, type SseConnectionOptions } from '@tenon/mcp-transport-sse/client';
import type { Dialer } from './session/dialer.js';

export type { Fetch, HeaderSource } from '@tenon/mcp-transport-http/client';
export type { SseClientLimits } from '@tenon/mcp-transport-sse/client';
export type { Dialer } from './session/dialer.js';

/** Options of a server over HTTP+SSE, with every setting of the transport. */
export interface SseTargetOptions extends Omit<SseConnectionOptions, 'authorizer'> {
  /** Signs in if the server requires it, such as `oauth(...)` of `@tenon/mcp-auth/client`. */
  readonly auth?: AuthProvider | undefined;
}

/**
 * Returns a target for a server over HTTP+SSE only: the URL is that of its event stream.
 * `connect(url)` detects such servers by itself.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @throws TypeError or RangeError for an invalid URL or option.
 */
export function sseTarget(url: string | URL, options: SseTargetOptions = {}): Dialer {
  const { auth, ...settings } = options;
  const authorizer = auth?.authorizer(requireHttpUrl(url));
  return { open: openSse(url, { ...settings, authorizer }), restartable: true };
}
