import type { Authorizer, Clock } from '@tenon/mcp-protocol';
import { type HeaderSource, requireHttpUrl, type SenderChoice } from '@tenon/mcp-transport-http/client';
import {
  RequestHeaders,
  RequestRoute,
  realClock,
  requireHeaders,
  requireSenderChoice,
  senderOf,
} from '@tenon/mcp-transport-http/client/internal';
import { SseConnection } from './sse-connection.js';
import { type SseClientLimits, sseLimitsOf } from './sse-limits.js';

/** How a server is reached over HTTP+SSE. */
export interface SseConnectionOptions extends SenderChoice {
  /** Headers of every HTTP request, such as `authorization`; a function is asked before each. */
  readonly headers?: HeaderSource | undefined;
  /** Authorizes every HTTP request, and hears when the server wants other authorization. */
  readonly authorizer?: Authorizer | undefined;
  readonly limits?: Partial<SseClientLimits> | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Opens connections to the server whose event stream is at a URL. Each is there once its stream has said where to post;
 * it rejects with a TransportError when that does not happen.
 * @throws TypeError or RangeError for a URL or options that make no sense.
 */
export function openSse(
  given: string | URL,
  options: SseConnectionOptions = {},
): () => Promise<SseConnection> {
  const url = requireHttpUrl(given);
  const { headers, authorizer, clock = realClock } = options;
  const limits = sseLimitsOf(options.limits);
  requireHeaders(headers, authorizer);
  requireSenderChoice(options);
  return async () => {
    const sender = await senderOf(url.origin, options, limits);
    const route = new RequestRoute(url, limits.maxRedirects);
    return SseConnection.open({
      sender,
      route,
      limits,
      clock,
      authorizer,
      headers: new RequestHeaders(headers),
    });
  };
}
