import type { Clock } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { Rate, type RateLimit } from '@tenon/mcp-session';
import { requireRate } from '@tenon/mcp-session/internal';

/** The rates at which a server may send input requests, which cost money or the user's time. */
export interface InputRequestRates {
  /** Requests to the model; false for no limit. Default 10 a second, 200 at once. */
  readonly samples?: false | RateLimit;
  /** Forms and pages together; false for no limit. Default 10 a second, 200 at once. */
  readonly inputRequests?: false | RateLimit;
  /** Requests for the roots; false for no limit. Default: 50 a second, 500 at once. */
  readonly roots?: false | RateLimit;
}

/** The default rate limits of input requests; see {@link InputRequestRates}. */
export const defaultInputRequestRates: Readonly<Record<keyof InputRequestRates, Required<RateLimit>>> = {
  samples: { perSecond: 10, burst: 200 },
  inputRequests: { perSecond: 10, burst: 200 },
  roots: { perSecond: 50, burst: 500 },
};

const methods: Readonly<Record<keyof InputRequestRates, string>> = {
  samples: 'sampling/createMessage',
  inputRequests: 'elicitation/create',
  roots: 'roots/list',
};

/** The rate limit of one method. */
interface MethodLimit {
  readonly rate: Rate;
  /** Milliseconds in which all tokens are added. */
  readonly filled: number;
  refusedAt: number;
}

/** The rate limits of one server's input requests, over all connections. */
export class InputRequestLimiter {
  readonly #clock: Clock;
  readonly #onError: (error: unknown, where: string) => void;
  readonly #limits = new Map<string, MethodLimit>();

  /**
   * @param onError - called with the first rejection of each burst.
   * @throws TypeError or RangeError for invalid rates.
   */
  constructor(
    rates: false | InputRequestRates | undefined,
    clock: Clock,
    onError: (error: unknown, where: string) => void,
  ) {
    this.#clock = clock;
    this.#onError = onError;
    for (const [name, { perSecond, burst = perSecond }] of ratesOf(rates)) {
      const rate = new Rate(clock, perSecond, burst);
      const filled = (1_000 * Math.max(1, burst)) / perSecond;
      this.#limits.set(methods[name], { rate, filled, refusedAt: Number.NEGATIVE_INFINITY });
    }
  }

  /** Returns the error for an input request that exceeds the rate; else counts it. */
  refusal(method: string): RpcError | undefined {
    const limit = this.#limits.get(method);
    if (limit === undefined || limit.rate.take()) return undefined;
    const wait = Math.max(1, limit.rate.wait);
    const error = new RpcError(
      ErrorCode.rateLimited,
      `The server asks ${method} too often: it may again in ${Math.ceil(wait / 1_000)} s.`,
      { data: { retryAfterMs: wait } },
    );
    const now = this.#clock.now();
    const begins = now - limit.refusedAt > limit.filled;
    limit.refusedAt = now;
    if (begins) this.#onError(error, method);
    return error;
  }
}

function ratesOf(
  given: false | InputRequestRates | undefined,
): readonly (readonly [keyof InputRequestRates, RateLimit])[] {
  if (given === false) return [];
  for (const name of Object.keys(given ?? {})) {
    if (!Object.hasOwn(defaultInputRequestRates, name))
      throw new TypeError(
        `Unknown rate "${name}". Known: ${Object.keys(defaultInputRequestRates).join(', ')}.`,
      );
  }
  const names = Object.keys(defaultInputRequestRates) as (keyof InputRequestRates)[];
  return names.flatMap((name) => {
    const rate = given?.[name] ?? defaultInputRequestRates[name];
    return rate === false ? [] : [[name, requireRate(`rates.${name}`, rate)]];
  });
}
