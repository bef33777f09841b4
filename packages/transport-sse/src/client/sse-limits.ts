import { withDefaults } from '@tenon/foundation';
import { defaultHttpClientLimits, type HttpClientLimits } from '@tenon/mcp-transport-http/client';

/** Limits and timeouts of one connection; see {@link defaultSseClientLimits} and those of HTTP for the defaults. */
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
  /** Milliseconds to wait for the endpoint event. */
  readonly endpointWaitMs: number;
  /**
   * Milliseconds to wait until the server has accepted a message. For a request, the time limit of its answer counts
   * instead.
   */
  readonly acceptWaitMs: number;
}

export const defaultSseClientLimits: Pick<SseClientLimits, 'endpointWaitMs' | 'acceptWaitMs'> = {
  endpointWaitMs: 10_000,
  acceptWaitMs: 60_000,
};

/**
 * Fills in defaults.
 * @throws TypeError for an unknown limit; RangeError for one that is not a positive number.
 */
export function sseLimitsOf(given: Partial<SseClientLimits> = {}): SseClientLimits & HttpClientLimits {
  const { endpointWaitMs, acceptWaitMs, ...rest } = given;
  return {
    ...withDefaults(defaultHttpClientLimits, rest),
    // One stream has all messages of a session: each event is limited, their sum is not.
    maxStreamBytes: Number.POSITIVE_INFINITY,
    ...withDefaults(defaultSseClientLimits, { endpointWaitMs, acceptWaitMs }),
  };
}
