import type { Cancel, Clock } from '@tenon/foundation';
import {
  decodeResult,
  type Exchange,
  RemoteError,
  type RequestId,
  type RequestRow,
  type Revision,
  SessionError,
  TransportError,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import { type Allowance, callName, numberIn, subjectOf } from '@tenon/mcp-protocol/internal';
import type { Progress } from '../requests/request-options.js';
import type { Silence } from './silence.js';

/** One request that waits for its answer. */
export interface Pending {
  readonly id: number;
  readonly method: string;
  /** Params of the caller: errors name their tool, prompt or URI. */
  readonly params: object;
  readonly revision: Revision;
  readonly row: RequestRow;
  /** The exchange of the peer's request that it belongs to. */
  readonly exchange: Exchange | undefined;
  readonly resolve: (result: UnknownObject) => void;
  readonly reject: (error: unknown) => void;
  /** True if it requested progress. */
  readonly progress: boolean;
  readonly onProgress: ((progress: Progress) => unknown) | undefined;
  /** Returns a signal if progress is received after the answer, until it aborts. */
  readonly prolong: ((result: UnknownObject) => AbortSignal | undefined) | undefined;
  /** Milliseconds of silence allowed. */
  readonly idle: number;
  /** Milliseconds allowed in total. */
  readonly total: number;
  readonly totalDeadline: number;
  idleDeadline: number;
  lastProgress: number;
  readonly release: (() => void) | undefined;
  /** True if it does not keep the process alive. */
  readonly background: boolean;
  /** Name of the option that sets `idle`; undefined if the limits do. */
  readonly timeoutOption: string | undefined;
}

/** The dependencies of waiting requests. */
export interface PendingListener {
  /** The reason for the peer's silence, if there is one. */
  readonly silence: () => Silence | undefined;
  /** Called for a request that exceeded its time, after it was rejected. */
  readonly onExpired: (entry: Pending) => void;
  /** Receives each leniency that an answer needed. */
  readonly onAllowed: (allowance: Allowance, method: string) => void;
  /** True if waiting requests keep the process alive. */
  readonly holds?: boolean;
}

/** Initial capacity; it doubles as needed, and is a power of two. */
const fewest = 16;

/** The requests of one end that wait for an answer, with one timer for all of them. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #listener: PendingListener;
  /**
   * Indexed by the lower bits of the id. Not a Map: a Map that is filled and emptied all the time replaces its table again
   * and again, the tables are linked, and once one of them is old, all entries they had are kept until a full collection.
   */
  #places: (Pending | undefined)[] | undefined;
  #size = 0;
  /** The number of requests that keep the process alive. */
  #awaited = 0;
  #lastId = 0;
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: Cancel | undefined;
  /** Requests that have been answered, and with progress that goes on. */
  #prolonged: Map<RequestId, Pending> | undefined;

  constructor(clock: Clock, listener: PendingListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  get size(): number {
    return this.#size;
  }

  /** The newest id; 0 before the first. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Returns an id for the next request. An id with an occupied place is skipped. */
  nextId(): number {
    const places = this.#places;
    if (places === undefined) return ++this.#lastId;
    const bits = places.length - 1;
    while (places[++this.#lastId & bits] !== undefined);
    return this.#lastId;
  }

  /** Adds a request with an id of {@link nextId}; deadlines count from now. */
  open(entry: Pending): void {
    let places = this.#places ?? noPlaces(fewest);
    // Half of them stay free, so that there is always a next id.
    while (2 * this.#size >= places.length || places[entry.id & (places.length - 1)] !== undefined) {
      places = doubled(places);
    }
    this.#places = places;
    places[entry.id & (places.length - 1)] = entry;
    this.#size++;
    if (this.#isAwaited(entry) && ++this.#awaited === 1) this.#disarm?.hold?.(true);
    this.#arm(this.#lookAt(entry, Math.min(entry.idleDeadline, entry.totalDeadline)));
  }

  /**
   * Removes a waiting request; its id may be a text as well. The timer stays armed: another request most likely arrives before it fires.
   */
  take(given: RequestId): Pending | undefined {
    const places = this.#places;
    const id = typeof given === 'number' ? given : numberIn(given);
    if (id === undefined || places === undefined) return undefined;
    const place = id & (places.length - 1);
    const entry = places[place];
    if (entry?.id !== id) return undefined;
    places[place] = undefined;
    this.#size--;
    // Disarming would cost more: the timer only stops keeping the process alive.
    if (this.#isAwaited(entry) && --this.#awaited === 0) this.#disarm?.hold?.(false);
    entry.release?.();
    return entry;
  }

  /** Returns a waiting request. */
  find(id: RequestId): Pending | undefined {
    const entry = typeof id === 'number' ? this.#places?.[id & (this.#places.length - 1)] : undefined;
    return entry?.id === id ? entry : undefined;
  }

  /** Settles a request with the peer's answer and returns it; undefined if no request has that id. */
  settle(id: RequestId, result: unknown, error: WireError | undefined): Pending | undefined {
    const entry = this.take(id);
    if (entry === undefined) return undefined;
    if (error !== undefined) entry.reject(remoteError(entry, error));
    else {
      const read = settleWith(entry, result, this.#listener);
      if (entry.prolong !== undefined && read !== undefined) this.#prolong(entry, read);
    }
    return entry;
  }

  /** Keeps an answered request if its progress goes on. */
  #prolong(entry: Pending, result: UnknownObject): void {
    const signal = entry.prolong?.(result);
    if (signal === undefined || signal.aborted) return;
    const { id } = entry;
    const prolonged = this.#prolonged ?? new Map<RequestId, Pending>();
    this.#prolonged = prolonged;
    prolonged.set(id, entry);
    signal.addEventListener('abort', () => prolonged.delete(id), { once: true });
  }

  /**
   * Accepts progress that was requested and grows; it grants the request another idle period.
   * @returns the request with the listener to call.
   */
  progress(id: RequestId, progress: number): Pending | undefined {
    const entry = this.find(id) ?? this.#prolonged?.get(id);
    if (entry === undefined || !entry.progress || !(progress > entry.lastProgress)) return undefined;
    entry.lastProgress = progress;
    entry.idleDeadline = this.#clock.now() + entry.idle;
    return entry;
  }

  /** Rejects one request, if it still waits, and returns it. */
  fail(id: RequestId, error: unknown): Pending | undefined {
    const entry = this.take(id);
    entry?.reject(ofCall(entry, error));
    return entry;
  }

  /** Rejects waiting requests: all, or those that belong to no request of the peer. */
  rejectAll(error: Error, which: 'all' | 'unrelated' = 'all'): void {
    for (const entry of this.#all()) {
      if (which === 'all' || entry.exchange === undefined) this.take(entry.id)?.reject(ofCall(entry, error));
    }
    if (this.size > 0) return;
    this.#places = undefined;
    this.#disarm?.();
    this.#disarm = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  /** Returns all waiting requests, in the order of sending. */
  #all(): Pending[] {
    const all = this.#places?.filter((entry) => entry !== undefined) ?? [];
    return all.sort((one, other) => one.id - other.id);
  }

  #arm(deadline: number): void {
    if (deadline >= this.#armedFor) return;
    this.#disarm?.();
    this.#armedFor = deadline;
    const ms = Math.max(1, deadline - this.#clock.now());
    this.#disarm = this.#clock.schedule(() => this.#sweep(), ms);
    // Only a clock that can release the process may hold it.
    if (this.#awaited > 0) this.#disarm.hold?.(true);
  }

  /** True for a request that keeps the process alive and does not last as long as its sender likes. */
  #isAwaited({ row, background }: Pending): boolean {
    return this.#listener.holds === true && row.lasting !== true && !background;
  }

  /** Returns the time of the next check of a request. A request without a deadline needs the timer too, which holds the process. */
  #lookAt(entry: Pending, deadline: number): number {
    return this.#isAwaited(entry) ? Math.min(deadline, Number.MAX_SAFE_INTEGER) : deadline;
  }

  #sweep(): void {
    const now = this.#clock.now();
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = undefined;
    const silence = this.#listener.silence();
    const excused = silence?.excusedUntil ?? Number.MIN_SAFE_INTEGER;
    let earliest = Number.POSITIVE_INFINITY;
    for (const entry of this.#all()) {
      const deadline = Math.min(Math.max(entry.idleDeadline, excused + entry.idle), entry.totalDeadline);
      if (deadline > now) {
        earliest = Math.min(earliest, this.#lookAt(entry, deadline));
        continue;
      }
      this.take(entry.id);
      entry.reject(new SessionError('timeout', timeoutMessage(entry, now, silence?.unread)));
      this.#listener.onExpired(entry);
    }
    if (this.size === 0) this.#places = undefined;
    else this.#arm(earliest);
  }
}

const none: readonly Allowance[] = [];

function noPlaces(count: number): (Pending | undefined)[] {
  return new Array<Pending | undefined>(count).fill(undefined);
}

function doubled(places: readonly (Pending | undefined)[]): (Pending | undefined)[] {
  const more = noPlaces(2 * places.length);
  for (const entry of places) if (entry !== undefined) more[entry.id & (more.length - 1)] = entry;
  return more;
}

/** Returns the result; undefined if it is invalid. */
function settleWith(
  entry: Pending,
  result: unknown,
  { onAllowed }: PendingListener,
): UnknownObject | undefined {
  const { method, revision, row, resolve, reject } = entry;
  try {
    const decoded = decodeResult(revision, row, result);
    if (decoded.ok) {
      if (decoded.value.resultType !== undefined) totalDeadlines.set(decoded.value, entry.totalDeadline);
      resolve(decoded.value);
      for (const allowance of decoded.allowances ?? none) onAllowed(allowance, method);
      return decoded.value;
    }
    const text = `The answer to ${nameOf(entry)} is not valid: ${decoded.problem}`;
    reject(new SessionError('invalid-answer', text));
  } catch (cause) {
    reject(new SessionError('invalid-answer', `The answer to ${nameOf(entry)} cannot be read.`, { cause }));
  }
  return undefined;
}

function timeoutMessage(entry: Pending, now: number, unread: string | undefined): string {
  const name = nameOf(entry);
  const { idle, total, timeoutOption = 'limits.requestTimeout' } = entry;
  const totalOption = timeoutOption === 'timeout' ? 'total' : 'limits.requestTotal';
  const advice =
    now >= entry.totalDeadline
      ? `${name} did not finish within ${total} ms; ${moreTime(totalOption)}.`
      : `${name} was not answered within ${idle} ms of silence; ${moreTime(timeoutOption)}.`;
  return unread === undefined ? advice : `${advice} Or its answer is what could not be read here: ${unread}`;
}

function moreTime(option: string): string {
  return `allow it more with the option "${option}"`;
}

/** Returns the name of a request in errors. */
function nameOf({ method, params }: Pending): string {
  return callName(method, subjectOf(params));
}

function remoteError({ method, params }: Pending, error: WireError, cause?: unknown): RemoteError {
  return new RemoteError(error, { method, subject: subjectOf(params), cause });
}

/** Returns an error of several requests for one of them. */
function ofCall(entry: Pending, error: unknown): unknown {
  if (error instanceof TransportError) return error.of(nameOf(entry));
  if (error instanceof RemoteError && error.method === undefined) {
    const { code, peerMessage: message, data, cause } = error;
    return remoteError(entry, { code, message, data }, cause);
  }
  if (!(error instanceof SessionError)) return error;
  return new SessionError(error.reason, `${nameOf(entry)}: ${error.message}`, causeOf(error));
}

function causeOf({ cause }: Error): { readonly cause: unknown } | undefined {
  return cause === undefined ? undefined : { cause };
}

/** The total deadlines of calls, by their results. */
const totalDeadlines = new WeakMap<object, number>();

/**
 * The total deadline of a call with a result that is not final, by the clock of its end: it requests input, or has the result type
 * of an extension. The deadline counts from the first request. Undefined for any other result.
 */
export function totalDeadlineOf(result: object): number | undefined {
  return totalDeadlines.get(result);
}
