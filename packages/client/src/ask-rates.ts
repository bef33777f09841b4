import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { type Clock, Rate, type RateLimit } from '@tenon/mcp-session';
import { requireRate } from '@tenon/mcp-session/internal';

/** How often a server may ask what costs money, or the patience of a person. */
export interface AskRates {
  /** Requests to the model; false for no limit. Default 10 a second, 200 at once. */
  readonly samples?: false | RateLimit;
  /** Forms and pages together; false for no limit. Default 10 a second, 200 at once. */
  readonly questions?: false | RateLimit;
  /** Requests for the roots; false for no limit. Default 50 a second, 500 at once. */
  readonly roots?: false | RateLimit;
}

/** How often a server may ask, unless {@link AskRates} say otherwise. */
export const defaultAskRates: Readonly<Record<keyof AskRates, Required<RateLimit>>> = {
  samples: { perSecond: 10, burst: 200 },
  questions: { perSecond: 10, burst: 200 },
  roots: { perSecond: 50, burst: 500 },
};

const methods: Readonly<Record<keyof AskRates, string>> = {
  samples: 'sampling/createMessage',
  questions: 'elicitation/create',
  roots: 'roots/list',
};

/** Bounds how often one server asks, whatever connections it is reached by. */
export class AskLimiter {
  readonly #limits: ReadonlyMap<string, AskLimit>;

  /**
   * @param onError - hears of the first refusal of each burst.
   * @throws TypeError or RangeError for rates that cannot be.
   */
  constructor(
    rates: false | AskRates | undefined,
    clock: Clock,
    onError: (error: unknown, where: string) => void,
  ) {
    const limits = new Map<string, AskLimit>();
    for (const [name, rate] of ratesOf(rates)) {
      limits.set(methods[name], new AskLimit(rate, clock, (error) => onError(error, methods[name])));
    }
    this.#limits = limits;
  }

  /** What an ask is refused with, if it is one too many; else it is counted. */
  refusal(method: string): RpcError | undefined {
    return this.#limits.get(method)?.refusal(method);
  }
}

/** How often one method is asked. */
class AskLimit {
  readonly #clock: Clock;
  readonly #rate: Rate;
  /** Milliseconds in which all tokens come back. */
  readonly #filled: number;
  readonly #onBurst: (error: RpcError) => void;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst = perSecond }: RateLimit, clock: Clock, onBurst: (error: RpcError) => void) {
    this.#clock = clock;
    this.#rate = new Rate(clock, perSecond, burst);
    this.#filled = (1_000 * Math.max(1, burst)) / perSecond;
    this.#onBurst = onBurst;
  }

  refusal(method: string): RpcError | undefined {
    if (this.#rate.take()) return undefined;
    const { wait } = this.#rate;
    const error = new RpcError(
      ErrorCode.rateLimited,
      `The server asks ${method} too often: it may again in ${Math.ceil(wait / 1_000)} s.`,
      { data: { retryAfterMs: wait } },
    );
    const now = this.#clock.now();
    const begins = now - this.#refusedAt > this.#filled;
    this.#refusedAt = now;
    if (begins) this.#onBurst(error);
    return error;
  }
}

function ratesOf(given: false | AskRates | undefined): readonly (readonly [keyof AskRates, RateLimit])[] {
  if (given === false) return [];
  for (const name of Object.keys(given ?? {})) {
    if (!Object.hasOwn(defaultAskRates, name))
      throw new TypeError(`Unknown rate "${name}". Known: ${Object.keys(defaultAskRates).join(', ')}.`);
  }
  const names = Object.keys(defaultAskRates) as (keyof AskRates)[];
  return names.flatMap((name) => {
    const rate = given?.[name] ?? defaultAskRates[name];
    return rate === false ? [] : [[name, requireRate(`rates.${name}`, rate)]];
  });
}
