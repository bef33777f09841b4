import type { HttpClientLimits } from '@tenon/mcp-transport-http/client';
import { type HttpClientBounds, httpClientBoundsOf } from '@tenon/mcp-transport-http/client/internal';

/** Limits of one connection. */
export type SseClientLimits = Pick<HttpClientLimits, 'maxConnections'>;

const bounds: { readonly endpointWaitMs: number; readonly maxStreamBytes: number } = {
  /** Milliseconds to wait for the endpoint event. */
  endpointWaitMs: 10_000,
  // One stream has all messages of a session: each event is limited, their sum is not.
  maxStreamBytes: Number.POSITIVE_INFINITY,
};

export type SseClientBounds = HttpClientBounds & typeof bounds;

/**
 * Fills in the defaults, and the bounds that are not options.
 * @throws TypeError for an unknown limit; RangeError for one that is not a positive number.
 */
export function sseBoundsOf(given?: Partial<SseClientLimits>): SseClientBounds {
  return httpClientBoundsOf(given, bounds);
}
