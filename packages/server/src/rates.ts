import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import {
  type Clock,
  type Conversation,
  type IncomingRequest,
  Rate,
  type RateLimit,
} from '@tenon/mcp-session';
import { optionRules, requireRate } from '@tenon/mcp-session/internal';
import { RateTable } from './rate-table.js';

/** How often one caller may do what costs most. */
export interface RateOptions {
  /** Tool calls; false for no limit. Default 500 a second, 5,000 at once. */
  readonly calls?: false | RateLimit;
  /** Completions; false for no limit. Default 100 a second, 1,000 at once. */
  readonly completions?: false | RateLimit;
  /**
   * Names whoever a request is counted for, such as a tenant. Default, and where it gives undefined: the principal, else
   * the address it comes from, else its session; what has none of these is not counted.
   */
  readonly by?: (request: IncomingRequest) => string | undefined;
}

/** What is limited, by the member of {@link RateOptions}. */
export interface Rates {
  readonly calls: CallRate | undefined;
  readonly completions: CallRate | undefined;
}

/** How often one caller may do what costs most, unless {@link RateOptions} say otherwise. */
export const defaultRates: Readonly<Record<'calls' | 'completions', Required<RateLimit>>> = {
  calls: { perSecond: 500, burst: 5_000 },
  completions: { perSecond: 100, burst: 1_000 },
};

const sorts = { calls: 'tool calls', completions: 'completion requests' } as const;

/** Names remembered for one rate. */
const mostNames = 10_000;

const byAddress = Symbol('address');
const byRule = Symbol('rule');

/**
 * The rates of one server.
 * @throws TypeError or RangeError for options that cannot work.
 */
export function ratesOf(options: false | RateOptions | undefined, clock: Clock): Rates {
  if (options === false) return { calls: undefined, completions: undefined };
  if (options !== undefined && !optionRules.object.allows(options))
    throw new TypeError('rates must be false, or an object such as { calls: { perSecond: 100 } }.');
  const { by } = options ?? {};
  if (by !== undefined && typeof by !== 'function')
    throw new TypeError('rates.by must be a function of the request.');
  // Each promise would be a name of its own, and nothing would be limited.
  if (Object.prototype.toString.call(by) === '[object AsyncFunction]')
    throw new TypeError(
      'rates.by must answer at once, and this is an async function: put the name into the principal.',
    );
  for (const name of Object.keys(options ?? {})) {
    if (name !== 'by' && !Object.hasOwn(defaultRates, name))
      throw new TypeError(`Unknown rate "${name}". Known: calls, completions, by.`);
  }
  const rate = (name: keyof typeof defaultRates) => {
    const limit = options?.[name] ?? defaultRates[name];
    if (limit === false) return undefined;
    return new CallRate(sorts[name], clock, { limit: requireRate(`rates.${name}`, limit), by });
  };
  return { calls: rate('calls'), completions: rate('completions') };
}

/** Bounds how often each caller does one thing. */
export class CallRate {
  readonly #sort: string;
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  readonly #by: RateOptions['by'];
  readonly #table: RateTable;
  readonly #sessions = new WeakMap<Conversation, Rate>();

  /** @param sort - what is counted, as its refusals name it. */
  constructor(sort: string, clock: Clock, { limit, by }: { limit: RateLimit; by: RateOptions['by'] }) {
    this.#sort = sort;
    this.#clock = clock;
    this.#limit = limit;
    this.#by = by;
    this.#table = new RateTable(clock, limit, mostNames);
  }

  /** @throws RpcError rate limited, which says when to try again. */
  admit(request: IncomingRequest): void {
    const { facts } = request.exchange;
    const name = this.#by?.(request);
    let rate: Rate | undefined;
    if (name !== undefined) rate = this.#table.of(name, byRule);
    else if (facts.principal !== undefined)
      rate = this.#table.of(facts.principal.id, facts.principal.issuer ?? '');
    else {
      const { remoteAddress } = facts;
      const conversation = remoteAddress === undefined ? request.host.conversation : undefined;
      if (remoteAddress !== undefined) rate = this.#table.of(remoteAddress, byAddress);
      else if (conversation !== undefined)
        rate = this.#sessions.get(conversation) ?? this.#enter(conversation);
    }
    if (rate === undefined || rate.take()) return;
    const retryAfterMs = rate.wait;
    const message = `Too many ${this.#sort}: try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
    throw new RpcError(ErrorCode.rateLimited, message, { data: { retryAfterMs } });
  }

  #enter(conversation: Conversation): Rate {
    const rate = new Rate(this.#clock, this.#limit.perSecond, this.#limit.burst);
    this.#sessions.set(conversation, rate);
    return rate;
  }
}
