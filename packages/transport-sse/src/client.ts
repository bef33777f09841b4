import { type Clock, systemClock } from '@tenon/foundation';
import type { Authorizer } from '@tenon/mcp-protocol';
import { type HeaderSource, requireHttpUrl, type SenderChoice } from '@tenon/mcp-transport-http/client';
import {
  RequestHeaders,
  RequestRoute,
  requireHeaders,
  requireSenderChoice,
  senderOf,
} from '@tenon/mcp-transport-http/client/internal';
import { SseConnection } from './client/sse-connection.js';
import { type SseClientLimits, sseBoundsOf } from './client/sse-limits.js';

export type { SseConnection } from './client/sse-connection.js';
export type { SseClientLimits } from './client/sse-limits.js';

/** Options for connecting to a server over HTTP+SSE. */
export interface SseConnectionOptions extends SenderChoice {
  /** Headers of every HTTP request, such as `authorization`; a function is called before each. */
  readonly headers?: HeaderSource | undefined;
  /** Authorizes every HTTP request, and is notified when the server requires other authorization. */
  readonly authorizer?: Authorizer | undefined;
  readonly limits?: Partial<SseClientLimits> | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Opens connections to the server of an event stream. Each connection resolves after the stream's endpoint event; it rejects
 * with a TransportError without one.
 * @throws TypeError or RangeError for an invalid URL or invalid options.
 */
export function openSse(
  given: string | URL,
  options: SseConnectionOptions = {},
): () => Promise<SseConnection> {
  const url = requireHttpUrl(given);
  const { headers, authorizer, clock = systemClock } = options;
  const limits = sseBoundsOf(options.limits);
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
