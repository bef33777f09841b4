import {
  decodeResult,
  type Exchange,
  type ProgressParams,
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
import type { Cancel, Clock } from '../clock.js';
import { noteTotalDeadline } from '../incoming/input-deadline.js';
import type { Silence } from './silence.js';

/** What a caller hears while its request runs. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One request that waits for its answer. */
export interface Pending {
  readonly id: number;
  readonly method: string;
  /** Params as the caller passed them: errors name their tool, prompt or URI. */
  readonly params: object;
  readonly revision: Revision;
  readonly row: RequestRow;
  /** Where it was sent when it belongs to a request of the peer. */
  readonly exchange: Exchange | undefined;
  readonly resolve: (result: UnknownObject) => void;
  readonly reject: (error: unknown) => void;
  /** It asked for progress. */
  readonly progress: boolean;
  readonly onProgress: ((progress: Progress) => unknown) | undefined;
  /** Milliseconds of silence allowed. */
  readonly idle: number;
  /** Milliseconds allowed in all. */
  readonly total: number;
  readonly totalDeadline: number;
  idleDeadline: number;
  lastProgress: number;
  readonly release: (() => void) | undefined;
  /** Nobody is kept waiting by it. */
  readonly background: boolean;
  /** Name of the option that sets `idle`; undefined where the limits do. */
  readonly timeoutOption: string | undefined;
}

/** What waiting needs of its end. */
export interface Watch {
  /** What excuses the peer's silence, if anything does. */
  readonly silence: () => Silence | undefined;
  /** Told of a request whose time is up, after it was rejected. */
  readonly onExpired: (entry: Pending) => void;
  /** Receives each leniency that reading an answer took. */
  readonly onAllowed: (allowance: Allowance, method: string) => void;
  /** Somebody in this process waits for the answers, and would never hear of them if it ended. */
  readonly holds?: boolean;
}

/** Places made at first; their number doubles as it must, and is a power of two. */
const fewest = 16;

/** The requests of one end that wait for an answer, with one timer for all of them. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #watch: Watch;
  /**
   * Each where the lower bits of its id say. Not a Map: one that is filled and emptied all the time replaces its table again
   * and again, the tables are linked, and once one of them is old, all that went through them is kept until a full collection.
   */
  #places: (Pending | undefined)[] | undefined;
  #size = 0;
  /** Of these, how many the process is kept alive for. */
  #awaited = 0;
  #lastId = 0;
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: Cancel | undefined;

  constructor(clock: Clock, watch: Watch) {
    this.#clock = clock;
    this.#watch = watch;
  }

  get size(): number {
    return this.#size;
  }

  /** The newest id; 0 before the first. */
  get lastId(): number {
    return this.#lastId;
  }

  /** An id for the next request. One whose place is taken, by a request that waits for long, is left out. */
  nextId(): number {
    const places = this.#places;
    if (places === undefined) return ++this.#lastId;
    const bits = places.length - 1;
    while (places[++this.#lastId & bits] !== undefined);
    return this.#lastId;
  }

  /** Enters a request under an id of {@link nextId}; deadlines count from now. */
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
   * Takes a request out, if it still waits; its id may be given as a text as well. The timer stays armed: another request most likely comes before it fires.
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
    // Not disarmed, which costs more: the timer only lets go of the process.
    if (this.#isAwaited(entry) && --this.#awaited === 0) this.#disarm?.hold?.(false);
    entry.release?.();
    return entry;
  }

  /** A request that waits. */
  find(id: RequestId): Pending | undefined {
    const entry = typeof id === 'number' ? this.#places?.[id & (this.#places.length - 1)] : undefined;
    return entry?.id === id ? entry : undefined;
  }

  /** Settles a request with the peer's answer and returns it; undefined when none waits under that id. */
  settle(id: RequestId, result: unknown, error: WireError | undefined): Pending | undefined {
    const entry = this.take(id);
    if (entry === undefined) return undefined;
    if (error !== undefined) entry.reject(remoteError(entry, error));
    else settleWith(entry, result, this.#watch);
    return entry;
  }

  /**
   * Notes progress: it must have been asked for, and grow; it grants the request another idle period.
   * @returns the request whose listener is to be told.
   */
  progress(params: ProgressParams): Pending | undefined {
    const { progressToken: id } = params;
    const entry = this.find(id);
    if (entry === undefined || !entry.progress || !(params.progress > entry.lastProgress)) return undefined;
    entry.lastProgress = params.progress;
    entry.idleDeadline = this.#clock.now() + entry.idle;
    return entry;
  }

  /** Rejects one request, if it still waits, and returns it. */
  fail(id: RequestId, error: unknown): Pending | undefined {
    const entry = this.take(id);
    entry?.reject(ofCall(entry, error));
    return entry;
  }

  /** Rejects what waits: everything, or what belongs to no request of the peer. */
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

  /** All of them at present, in the order they were sent. */
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
    // Only a clock that can let go again is to hold the process.
    if (this.#awaited > 0) this.#disarm.hold?.(true);
  }

  /** True for a request that somebody waits for, and not one that lasts for as long as its sender likes. */
  #isAwaited({ row, background }: Pending): boolean {
    return this.#watch.holds === true && row.lasting !== true && !background;
  }

  /** When to look at a request. One that is awaited for ever needs the timer too, for that holds the process. */
  #lookAt(entry: Pending, deadline: number): number {
    return this.#isAwaited(entry) ? Math.min(deadline, Number.MAX_SAFE_INTEGER) : deadline;
  }

  #sweep(): void {
    const now = this.#clock.now();
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = undefined;
    const silence = this.#watch.silence();
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
      this.#watch.onExpired(entry);
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

function settleWith(entry: Pending, result: unknown, { onAllowed }: Watch): void {
  const { method, revision, row, resolve, reject } = entry;
  try {
    const decoded = decodeResult(revision, row, result);
    if (decoded.ok) {
      if (decoded.value.resultType !== undefined) {
        noteTotalDeadline(decoded.value, entry.totalDeadline);
      }
      resolve(decoded.value);
      for (const allowance of decoded.allowances ?? none) onAllowed(allowance, method);
    } else {
      const text = `The answer to ${nameOf(entry)} is not valid: ${decoded.problem}`;
      reject(new SessionError('invalid-answer', text));
    }
  } catch (cause) {
    reject(new SessionError('invalid-answer', `The answer to ${nameOf(entry)} cannot be read.`, { cause }));
  }
}

function timeoutMessage(entry: Pending, now: number, unread: string | undefined): string {
  const name = nameOf(entry);
  const { idle, total, timeoutOption = 'limits.requestTimeout' } = entry;
  const totalOption = timeoutOption === 'timeout' ? 'total' : 'limits.requestTotal';
  const told =
    now >= entry.totalDeadline
      ? `${name} did not finish within ${total} ms; ${moreTime(totalOption)}.`
      : `${name} was not answered within ${idle} ms of silence; ${moreTime(timeoutOption)}.`;
  return unread === undefined ? told : `${told} Or its answer is what could not be read here: ${unread}`;
}

function moreTime(option: string): string {
  return `allow it more with the option "${option}"`;
}

/** A request as errors name it. */
function nameOf({ method, params }: Pending): string {
  return callName(method, subjectOf(params));
}

function remoteError({ method, params }: Pending, error: WireError, cause?: unknown): RemoteError {
  return new RemoteError(error, { method, subject: subjectOf(params), cause });
}

/** An error that may be that of several requests, as one of them is rejected with it. */
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
