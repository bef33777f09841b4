import { type CompleteResult, ErrorCode, RemoteError, SessionError } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { Client } from '../client.js';
import type { CompletionQuery } from '../features/completion.js';
import { type CachePlace, MemoryCache } from '../response-cache.js';

/** Values for an argument. */
export type Completion = CompleteResult['completion'];

/** How patient a completer is, and how much it keeps. */
export interface CompleterOptions {
  /** Milliseconds without a newer query before the server is asked; 150 by default. */
  readonly wait?: number;
  /** Answers kept; 100 by default. */
  readonly entries?: number;
  /** Characters kept in all; 1 Mi by default. */
  readonly characters?: number;
  /** Milliseconds an answer is kept; 60,000 by default. */
  readonly lifetime?: number;
}

/** Completes what is being typed in one place. */
export interface ArgumentCompleter {
  /**
   * Values for what was typed. Resolves with undefined once a newer query has overtaken this one: what is on its way then
   * is cancelled. A server without completion has no values. Rejects as `client.complete` does.
   * @param signal - gives the query up: it rejects with `cancelled`.
   */
  complete(query: CompletionQuery, signal?: AbortSignal): Promise<Completion | undefined>;
  /** Overtakes what is on its way and whatever is asked later, and lets go of the client. Safe to call twice. */
  close(): void;
}

/** What a completer needs of its client. */
export type CompletionSource = Pick<Client, 'complete' | 'clock' | 'onChanged'>;

/**
 * Completes arguments while they are typed: asks only when the typing pauses, has one query on its way at most, and
 * remembers answers until what the server offers has changed.
 * https://modelcontextprotocol.io/specification/latest/server/utilities/completion#implementation-considerations
 * @throws RangeError for a bound that makes no sense; TypeError for an option that does not exist.
 */
export function createCompleter(client: CompletionSource, options: CompleterOptions = {}): ArgumentCompleter {
  const { notNegative, positive } = optionRules;
  requireOptions('createCompleter', options, {
    wait: notNegative,
    entries: positive,
    characters: positive,
    lifetime: positive,
  });
  return new TypedCompleter(client, options);
}

const group = 'completion/complete';

class TypedCompleter implements ArgumentCompleter {
  readonly #client: CompletionSource;
  readonly #wait: number;
  readonly #lifetime: number;
  readonly #cache: MemoryCache;
  readonly #release: () => void;
  #newest: Query | undefined;
  #isUnsupported = false;
  #isClosed = false;

  constructor(client: CompletionSource, options: CompleterOptions) {
    const { wait = 150, entries = 100, characters = 1_048_576, lifetime = 60_000 } = options;
    this.#client = client;
    this.#wait = wait;
    this.#lifetime = lifetime;
    this.#cache = new MemoryCache({ entries, characters, lifetime });
    this.#release = client.onChanged(() => {
      this.#cache.drop(group);
      this.#isUnsupported = false;
    });
  }

  complete(asked: CompletionQuery, signal?: AbortSignal): Promise<Completion | undefined> {
    this.#newest?.overtake();
    // What it remembers may be out of date: it does not hear of changes any more.
    if (this.#isClosed) return Promise.resolve(undefined);
    if (this.#isUnsupported) return Promise.resolve({ values: [] });
    const place = { group, key: keyOf(asked) };
    const kept = this.#cache.get(place, this.#client.clock.now());
    if (kept !== undefined) return Promise.resolve(JSON.parse(kept) as Completion);
    const query = new Query(signal);
    this.#newest = query;
    const ask = () => detach(this.#ask(query, asked, place), query.fail);
    const cancel = this.#client.clock.schedule(ask, this.#wait, true);
    return query.outcome.finally(() => {
      cancel();
      if (this.#newest === query) this.#newest = undefined;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#newest?.overtake();
    this.#release();
  }

  async #ask(query: Query, asked: CompletionQuery, place: CachePlace): Promise<void> {
    const mark = this.#cache.mark();
    try {
      const completion = await this.#client.complete(asked, { signal: query.signal });
      const receivedAt = this.#client.clock.now();
      this.#cache.set(place, { text: JSON.stringify(completion), receivedAt, ttlMs: this.#lifetime }, mark);
      query.settle(completion);
    } catch (error) {
      const isUnsupported =
        (error instanceof RemoteError && error.code === ErrorCode.methodNotFound) ||
        (error instanceof SessionError && error.reason === 'capability-missing');
      if (!isUnsupported) return query.fail(error);
      this.#isUnsupported = true;
      query.settle({ values: [] });
    }
  }
}

/** One query until it is answered, overtaken or given up. */
class Query {
  readonly outcome: Promise<Completion | undefined>;
  settle: (outcome: Completion | undefined) => void = () => {};
  fail: (error: unknown) => void = () => {};
  readonly #stop = new AbortController();

  constructor(given: AbortSignal | undefined) {
    const giveUp = () => {
      const cause = given?.reason;
      this.fail(new SessionError('cancelled', 'The completion was cancelled.', { cause }));
      this.#stop.abort(cause);
    };
    this.outcome = new Promise<Completion | undefined>((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    }).finally(() => given?.removeEventListener('abort', giveUp));
    if (given?.aborted) giveUp();
    else given?.addEventListener('abort', giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  overtake(): void {
    this.settle(undefined);
    this.#stop.abort(new Error('A newer query overtook this one.'));
  }
}

/** Arguments chosen before mean the same in any order. */
function keyOf({ ref, argument, context }: CompletionQuery): string {
  const chosen = Object.entries(context?.arguments ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const what = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  return JSON.stringify([ref.type, what, argument.name, argument.value, chosen]);
}
