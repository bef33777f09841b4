import type { AuthProvider } from '@tenon/mcp-protocol';
import { requireHttpUrl } from '@tenon/mcp-transport-http/client';
import { openSse, type SseConnectionOptions } from '@tenon/mcp-transport-sse/client';
import type { Dialer } from './dialer.js';

export type { Fetch, HeaderSource } from '@tenon/mcp-transport-http/client';
export { defaultSseClientLimits, type SseClientLimits } from '@tenon/mcp-transport-sse/client';
export type { Dialer } from './dialer.js';

/** How a server is reached over HTTP+SSE, with every setting of the transport. */
export interface SseTargetOptions extends Omit<SseConnectionOptions, 'authorizer'> {
  /** Signs in where the server wants it, such as `oauth(...)` of `@tenon/mcp-auth/client`. */
  readonly auth?: AuthProvider | undefined;
}

/**
 * A target that reaches a server by the HTTP+SSE transport alone: the URL is that of its event stream.
 * `connect(url)` finds out by itself where it has to be used.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @throws TypeError or RangeError for a URL or options that make no sense.
 */
export function sseTarget(url: string | URL, options: SseTargetOptions = {}): Dialer {
  const { auth, ...settings } = options;
  const authorizer = auth?.authorizer(requireHttpUrl(url));
  return { open: openSse(url, { ...settings, authorizer }), restartable: true };
}
