import { detach, onAbort } from '@tenon/foundation';
import { type CompleteResult, ErrorCode, RemoteError, SessionError } from '@tenon/mcp-protocol';
import { BoundedCache, type CacheBounds, type CachePlace } from '../cache/response-cache.js';
import type { Client, CompletionQuery } from '../client.js';

/** Values for an argument. */
export type Completion = CompleteResult['completion'];

/** Bounds of a completer. */
interface CompleterBounds extends CacheBounds {
  /** Milliseconds without a newer query before a request is sent. */
  readonly wait: number;
}

const completerBounds: CompleterBounds = {
  wait: 150,
  entries: 100,
  characters: 1_048_576,
  lifetime: 60_000,
};

/** Completes the input of one field. */
export interface ArgumentCompleter {
  /**
   * Returns values for the typed text. Resolves with undefined if a newer query has replaced this one: a running request
   * is cancelled. A server without completion has no values. Rejects as `client.complete` does.
   * @param signal - cancels the query, which rejects with `cancelled`.
   */
  complete(query: CompletionQuery, signal?: AbortSignal): Promise<Completion | undefined>;
  /** Cancels the running and all later queries, and releases the client. Safe to call twice. */
  close(): void;
}

/** The dependencies of a completer. */
export type CompletionSource = Pick<Client, 'complete' | 'clock' | 'onChanged'>;

/**
 * Completes arguments while they are typed: sends a request only when the typing pauses, has one request in flight, and
 * stores answers until the offer of the server changes.
 * https://modelcontextprotocol.io/specification/latest/server/utilities/completion#implementation-considerations
 */
export function createCompleter(client: CompletionSource): ArgumentCompleter {
  return new TypedCompleter(client);
}

const group = 'completion/complete';

export class TypedCompleter implements ArgumentCompleter {
  readonly #client: CompletionSource;
  readonly #bounds: CompleterBounds;
  readonly #cache: BoundedCache;
  readonly #release: () => void;
  #newest: Query | undefined;
  #isUnsupported = false;
  #isClosed = false;

  constructor(client: CompletionSource, bounds: Partial<CompleterBounds> = {}) {
    this.#client = client;
    this.#bounds = { ...completerBounds, ...bounds };
    this.#cache = new BoundedCache(this.#bounds);
    this.#release = client.onChanged(() => {
      this.#cache.drop(group);
      this.#isUnsupported = false;
    });
  }

  complete(asked: CompletionQuery, signal?: AbortSignal): Promise<Completion | undefined> {
    this.#newest?.overtake();
    // Its answers may be outdated: it no longer receives changes.
    if (this.#isClosed) return Promise.resolve(undefined);
    if (this.#isUnsupported) return Promise.resolve({ values: [] });
    const place = { group, key: keyOf(asked) };
    const kept = this.#cache.get(place, this.#client.clock.now());
    if (kept !== undefined) return Promise.resolve(JSON.parse(kept) as Completion);
    const query = new Query(signal);
    this.#newest = query;
    const send = () => detach(this.#send(query, asked, place), query.fail);
    const cancel = this.#client.clock.schedule(send, this.#bounds.wait, true);
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

  async #send(query: Query, asked: CompletionQuery, place: CachePlace): Promise<void> {
    const mark = this.#cache.mark();
    try {
      const completion = await this.#client.complete(asked, { signal: query.signal });
      const receivedAt = this.#client.clock.now();
      this.#cache.set(
        place,
        { text: JSON.stringify(completion), receivedAt, ttlMs: this.#bounds.lifetime },
        mark,
      );
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

/** One query until it is answered, replaced or cancelled. */
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
    let release = () => {};
    this.outcome = new Promise<Completion | undefined>((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    }).finally(() => release());
    release = onAbort(given, giveUp);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  overtake(): void {
    this.settle(undefined);
    this.#stop.abort(new Error('A newer query overtook this one.'));
  }
}

/** The order of earlier arguments does not matter. */
function keyOf({ ref, argument, context }: CompletionQuery): string {
  const chosen = Object.entries(context?.arguments ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const what = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  return JSON.stringify([ref.type, what, argument.name, argument.value, chosen]);
}
