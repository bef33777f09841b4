import type { HttpClientLimits } from '@tenon/mcp-transport-http/client';
import { httpLimitsOf } from '@tenon/mcp-transport-http/client/internal';

/** Bounds and waits of one connection; see {@link defaultSseClientLimits} and those of HTTP for the defaults. */
export interface SseClientLimits
  extends Pick<
    HttpClientLimits,
    | 'maxConnections'
    | 'maxEventChars'
    | 'maxNesting'
    | 'maxRedirects'
    | 'maxAnswersLeaving'
    | 'connectWaitMs'
    | 'closeWaitMs'
  > {
  /** Milliseconds to wait until the event stream says where to post. */
  readonly endpointWaitMs: number;
  /**
   * Milliseconds to wait until the server has taken a message. While the answer to it is waited for, which has its own
   * time limit, the server may take longer.
   */
  readonly acceptWaitMs: number;
}

export const defaultSseClientLimits: Pick<SseClientLimits, 'endpointWaitMs' | 'acceptWaitMs'> = {
  endpointWaitMs: 10_000,
  acceptWaitMs: 60_000,
};

/**
 * Fills in defaults.
 * @throws TypeError for a bound that is not known; RangeError for one that is not a positive number.
 */
export function sseLimitsOf(given: Partial<SseClientLimits> = {}): SseClientLimits & HttpClientLimits {
  const { endpointWaitMs, acceptWaitMs, ...rest } = given;
  return {
    ...httpLimitsOf(rest),
    // One stream carries a whole session: its events are bounded, their sum is not.
    maxStreamBytes: Number.POSITIVE_INFINITY,
    endpointWaitMs: wait('endpointWaitMs', endpointWaitMs),
    acceptWaitMs: wait('acceptWaitMs', acceptWaitMs),
  };
}

function wait(name: keyof typeof defaultSseClientLimits, ms: number = defaultSseClientLimits[name]): number {
  if (typeof ms === 'number' && ms > 0) return ms;
  throw new RangeError(`Limit ${name} must be a positive number.`);
}
