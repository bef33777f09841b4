import { type Clock, detach, optionRules } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { type Conversation, type IncomingRequest, Rate, type RateLimit } from '@tenon/mcp-session';
import { requireRate } from '@tenon/mcp-session/internal';
import { boundedName, type Namespace, RateTable } from './rate-table.js';
import type { RateSharing, SharedRate } from './shared-rate.js';

/** The rate limits of one caller. */
export interface RateOptions {
  /** Calls of tools and of methods outside the core protocol, together; false for no limit. Default 500 a second, 5,000 at once. */
  readonly calls?: false | RateLimit;
  /** Completion requests; false for no limit. Default 100 a second, 1,000 at once. */
  readonly completions?: false | RateLimit;
  /**
   * Returns the name under which a request is counted, such as a tenant. Default, and where it returns undefined: the principal, else
   * the address that the request comes from, else its session. A request that has none of these is not counted.
   */
  readonly by?: (request: IncomingRequest) => string | undefined;
}

/** The rates of one server; undefined for no limit. */
export interface Rates {
  readonly calls: CallRate | undefined;
  readonly completions: CallRate | undefined;
}

/** The default rates of one caller, see {@link RateOptions}. */
export const defaultRates: Readonly<Record<'calls' | 'completions', Required<RateLimit>>> = {
  calls: { perSecond: 500, burst: 5_000 },
  completions: { perSecond: 100, burst: 1_000 },
};

const sorts = { calls: 'tool calls', completions: 'completion requests' } as const;

/** The most names remembered for one rate. */
const mostNames = 10_000;

const byAddress = Symbol('address');
const byRule = Symbol('rule');

/**
 * The rates of one server.
 * @param sharing - undefined if no other process counts with this one.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function ratesOf(
  options: false | RateOptions | undefined,
  clock: Clock,
  sharing?: RateSharing,
): Rates {
  if (options === false) return { calls: undefined, completions: undefined };
  if (options !== undefined && !optionRules.object.allows(options))
    throw new TypeError('rates must be false, or an object such as { calls: { perSecond: 100 } }.');
  const { by } = options ?? {};
  if (by !== undefined && typeof by !== 'function')
    throw new TypeError('rates.by must be a function of the request.');
  // Each promise would be a separate name, and nothing would be limited.
  if (Object.prototype.toString.call(by) === '[object AsyncFunction]')
    throw new TypeError(
      'rates.by must answer at once, and this is an async function: put the name into the principal.',
    );
  for (const name of Object.keys(options ?? {})) {
    if (name !== 'by' && !Object.hasOwn(defaultRates, name))
      throw new TypeError(`Unknown rate "${name}". Known: calls, completions, by.`);
  }
  const parts = sharing && loadedParts(sharing);
  const rate = (name: keyof typeof defaultRates) => {
    const given = options?.[name] ?? defaultRates[name];
    if (given === false) return undefined;
    const limit = requireRate(`rates.${name}`, given);
    const isShared = limit.perSecond !== Number.POSITIVE_INFINITY;
    const shared = isShared
      ? parts?.then(({ SharedRate, outage }) => new SharedRate(name, limit, outage))
      : undefined;
    return new CallRate(sorts[name], clock, { limit, by, shared });
  };
  return { calls: rate('calls'), completions: rate('completions') };
}

/** Loads the code that counts in shared state, and reports a failure: servers without shared state do without. */
function loadedParts(sharing: RateSharing) {
  const parts = import('./shared-rate.js').then(({ SharedRate, RateOutage }) => ({
    SharedRate,
    outage: new RateOutage(sharing),
  }));
  detach(parts, (error) => sharing.onError(error, 'rates'));
  return parts;
}

/** The caller of a request. */
interface Counted {
  readonly name: string;
  readonly within: Namespace;
}

/** Handles a request when its caller was admitted, unless it was cancelled meanwhile. */
export async function admitted<Result>(
  admission: Promise<void>,
  request: IncomingRequest,
  handle: () => Result | Promise<Result>,
): Promise<Result> {
  await admission;
  if (request.cancelled) throw request.signal.reason;
  return handle();
}

/** Limits the rate of one type of request per caller. */
export class CallRate {
  readonly #sort: string;
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  readonly #by: RateOptions['by'];
  /** A promise until its code is loaded. */
  #shared: SharedRate | Promise<SharedRate> | undefined;
  readonly #table: RateTable;
  readonly #sessions = new WeakMap<Conversation, Rate>();

  /**
   * @param sort - the counted requests, as the error names them.
   * @param shared - the buckets of all processes; undefined if this process counts alone.
   */
  constructor(
    sort: string,
    clock: Clock,
    {
      limit,
      by,
      shared,
    }: { limit: RateLimit; by: RateOptions['by']; shared?: Promise<SharedRate> | undefined },
  ) {
    this.#sort = sort;
    this.#clock = clock;
    this.#limit = limit;
    this.#by = by;
    this.#shared = shared;
    this.#table = new RateTable(clock, limit, mostNames);
    detach(
      shared?.then((loaded) => {
        this.#shared = loaded;
      }),
      // Each request rejects.
      () => {},
    );
  }

  /**
   * Counts a request.
   * @returns a promise if the state that processes share must be asked; it rejects for a request that is refused.
   * @throws RpcError rate limited, with the time until the next attempt.
   */
  admit(request: IncomingRequest): Promise<void> | undefined {
    const { facts } = request.exchange;
    let name = this.#by?.(request);
    let within: Namespace = byRule;
    if (name === undefined && facts.principal !== undefined) {
      name = facts.principal.id;
      within = facts.principal.issuer ?? '';
    } else if (name === undefined) {
      name = facts.remoteAddress;
      within = byAddress;
    }
    let rate: Rate;
    if (name !== undefined) {
      if (this.#shared !== undefined) return this.#share(this.#shared, { name, within });
      rate = this.#table.of(name, within);
    } else {
      const { conversation } = request.host;
      if (conversation === undefined) return undefined;
      rate = this.#sessions.get(conversation) ?? this.#enter(conversation);
    }
    if (rate.take()) return undefined;
    throw this.#refusal(rate.wait);
  }

  /** Counts a caller in all processes; in this process alone while the state does not answer. */
  #share(shared: SharedRate | Promise<SharedRate>, { name, within }: Counted): Promise<void> | undefined {
    if (shared instanceof Promise) return shared.then((loaded) => this.#share(loaded, { name, within }));
    const rate = this.#table.of(name, within);
    const taken = shared.take(rate, [String(typeof within), String(within), boundedName(name)]);
    return taken instanceof Promise
      ? taken.then((wait) => this.#requireAdmitted(rate, wait))
      : this.#requireAdmitted(rate, taken);
  }

  /** @param wait - milliseconds until the next attempt; undefined if the state cannot tell. */
  #requireAdmitted(rate: Rate, wait: number | undefined): undefined {
    if (wait === 0 || (wait === undefined && rate.take())) return undefined;
    throw this.#refusal(wait ?? rate.wait);
  }

  #refusal(wait: number): RpcError {
    const retryAfterMs = Math.max(1, Math.ceil(wait));
    const message = `Too many ${this.#sort}: try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
    return new RpcError(ErrorCode.rateLimited, message, { data: { retryAfterMs } });
  }

  #enter(conversation: Conversation): Rate {
    const rate = new Rate(this.#clock, this.#limit.perSecond, this.#limit.burst);
    this.#sessions.set(conversation, rate);
    return rate;
  }
}
