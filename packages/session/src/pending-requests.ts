import {
  decodeResult,
  type Exchange,
  type ProgressParams,
  type RequestId,
  type RequestRow,
  type Revision,
  RpcError,
  SessionError,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import type { Clock } from './clock.js';
import type { Silence } from './silence.js';

/** What a caller hears while its request runs. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One request that waits for its answer. */
export interface Pending {
  readonly id: RequestId;
  readonly method: string;
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
}

/** What waiting needs of its end. */
export interface Watch {
  /** What excuses the peer's silence, if anything does. */
  readonly silence: () => Silence | undefined;
  /** Told of a request whose time is up, after it was rejected. */
  readonly onExpired: (entry: Pending) => void;
}

/** The requests of one end that wait for an answer, with one timer for all of them. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #watch: Watch;
  #table: Map<RequestId, Pending> | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: (() => void) | undefined;

  constructor(clock: Clock, watch: Watch) {
    this.#clock = clock;
    this.#watch = watch;
  }

  get size(): number {
    return this.#table?.size ?? 0;
  }

  /** Enters a request; deadlines count from now. */
  open(entry: Pending): void {
    this.#table ??= new Map();
    this.#table.set(entry.id, entry);
    this.#arm(Math.min(entry.idleDeadline, entry.totalDeadline));
  }

  /**
   * Takes a request out, if it still waits. The timer stays armed: another request most likely comes before it fires.
   */
  take(id: RequestId): Pending | undefined {
    const entry = this.#table?.get(id);
    if (entry === undefined) return undefined;
    this.#table?.delete(id);
    entry.release?.();
    return entry;
  }

  /** Settles a request with the peer's answer; false when none waits under that id. */
  settle(id: RequestId, result: unknown, error: WireError | undefined): boolean {
    const entry = this.take(id);
    if (entry === undefined) return false;
    if (error !== undefined) entry.reject(new RpcError(error.code, error.message, { data: error.data }));
    else settleWith(entry, result);
    return true;
  }

  /**
   * Notes progress: it must have been asked for, and grow; it grants the request another idle period.
   * @returns the request whose listener is to be told.
   */
  progress(params: ProgressParams): Pending | undefined {
    const entry = this.#table?.get(params.progressToken);
    if (entry?.progress !== true || !(params.progress > entry.lastProgress)) return undefined;
    entry.lastProgress = params.progress;
    entry.idleDeadline = this.#clock.now() + entry.idle;
    return entry;
  }

  /** Rejects what waits: everything, or what belongs to no request of the peer. */
  rejectAll(error: Error, which: 'all' | 'unrelated' = 'all'): void {
    for (const entry of [...(this.#table?.values() ?? [])]) {
      if (which === 'all' || entry.exchange === undefined) this.take(entry.id)?.reject(error);
    }
    if (this.size > 0) return;
    this.#table = undefined;
    this.#disarm?.();
    this.#disarm = undefined;
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(deadline: number): void {
    if (deadline >= this.#armedFor) return;
    this.#disarm?.();
    this.#armedFor = deadline;
    this.#disarm = this.#clock.schedule(() => this.#sweep(), Math.max(1, deadline - this.#clock.now()));
  }

  #sweep(): void {
    const now = this.#clock.now();
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = undefined;
    const silence = this.#watch.silence();
    const excused = silence?.excusedUntil ?? Number.MIN_SAFE_INTEGER;
    let earliest = Number.POSITIVE_INFINITY;
    for (const entry of [...(this.#table?.values() ?? [])]) {
      const deadline = Math.min(Math.max(entry.idleDeadline, excused + entry.idle), entry.totalDeadline);
      if (deadline > now) {
        earliest = Math.min(earliest, deadline);
        continue;
      }
      this.take(entry.id);
      entry.reject(new SessionError('timeout', timeoutMessage(entry, now, silence?.unread)));
      this.#watch.onExpired(entry);
    }
    if (this.size === 0) this.#table = undefined;
    else this.#arm(earliest);
  }
}

function settleWith({ method, revision, row, resolve, reject }: Pending, result: unknown): void {
  try {
    const decoded = decodeResult(revision, row, result);
    if (decoded.ok) resolve(decoded.value);
    else
      reject(new SessionError('invalid-answer', `The answer to ${method} is not valid: ${decoded.problem}`));
  } catch (cause) {
    reject(new SessionError('invalid-answer', `The answer to ${method} cannot be read.`, { cause }));
  }
}

function timeoutMessage(entry: Pending, now: number, unread: string | undefined): string {
  const told =
    now >= entry.totalDeadline
      ? `${entry.method} did not finish within ${entry.total} ms; allow it more with the option "total".`
      : `${entry.method} was not answered within ${entry.idle} ms of silence; allow it more with the option "timeout".`;
  return unread === undefined ? told : `${told} Or its answer is what could not be read here: ${unread}`;
}
