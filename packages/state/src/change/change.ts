import { type Clock, detach, jsonIn, pause, systemClock } from '@tenon/foundation';
import { byteLength, stateLimits } from '../keys.js';
import { type Fence, type KeyValueStore, StateError, type VersionedValue } from '../state.js';

/** The part of a store of values that a change uses. */
export type ChangeTarget = Pick<KeyValueStore, 'get' | 'compareAndSet' | 'delete'>;

/** A key with a JSON value, and the rules of its changes. */
export interface ChangedKey<Value> {
  readonly kv: ChangeTarget;
  /** The store that `kv` is a view of: changes by all of its views share writes. Default: `kv`. */
  readonly backend?: ChangeTarget;
  readonly key: string;
  /** The clock of the pauses between attempts. Default: the timers of the runtime. */
  readonly clock?: Pick<Clock, 'schedule'>;
  /** Returns the milliseconds until a value is gone. Default: it stays until it is deleted. */
  readonly ttl?: (value: Value) => number;
  /** Bytes of UTF-8 that the value may have as JSON. Default: as many as the state allows. */
  readonly size?: number;
  /** The lease that the change depends on, checked even if nothing changes. Default: none. */
  readonly fence?: Fence | undefined;
  /** Returns the value of a stored text; undefined for one that counts as absent. Default: of its JSON. */
  readonly read?: (text: string) => Value | undefined;
  /** Returns the text to store. Default: JSON. */
  readonly write?: (value: Value) => string;
  /** The value as this caller last saw it, in place of the first read. Updated by the change. Default: the value is read. */
  readonly seen?: SeenValue;
}

/** A stored text, and its value if this process wrote it: it is not read again. */
interface SeenText extends VersionedValue {
  readonly written?: unknown;
}

/** The value of a key as one caller last read or wrote it. */
export interface SeenValue {
  /** Undefined if it must be read. */
  last: SeenText | 'absent' | undefined;
}

/**
 * Returns the next value; the same one to write nothing, undefined to delete the key. It may be called several times, must not alter the
 * value that it receives, and must not wait for another change of the key.
 */
export type NextValue<Value> = (value: Value | undefined) => Value | undefined | Promise<Value | undefined>;

/** Too many changes of one key at once, by this process or by others. Nothing was written. */
export class ConflictError extends StateError {}

/** A change that waits for those before it. */
interface Waiting {
  readonly to: ChangedKey<unknown>;
  readonly next: NextValue<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Attempts to write while other processes change the same key: a few seconds. */
const attempts = 24;
/** The most milliseconds of the first pause between two attempts, which doubles, and of the longest one. */
const [firstPause, longestPause] = [8, 256];
/** Changes of one key that may wait in this process. */
const mostWaiting = 1_024;
/** A version that no value has. */
const noVersion = '-';
/** Failures of a write that was too large for its place: a smaller change may still succeed. */
const sizeFailures: ReadonlySet<string> = new Set(['full', 'quota', 'too-large']);

const queues = new WeakMap<ChangeTarget, Map<string, Waiting[]>>();

/**
 * Changes a value, on top of what other processes have written. Changes of one key that are requested while this process changes it
 * share one read and one write.
 * @returns the value after this change. Rejects with what `next` throws.
 * @throws ConflictError if others change the key all the time, or too many changes of it wait; StateError, `too-large` also if the
 * value exceeds `size`, `fenced` if a later holder acquired the lease; Error if the stored text is not JSON.
 */
export function change<Value>(to: ChangedKey<Value>, next: NextValue<Value>): Promise<Value | undefined> {
  const { key, kv, backend = kv } = to;
  const keys = queues.get(backend) ?? new Map<string, Waiting[]>();
  queues.set(backend, keys);
  const queue = keys.get(key) ?? [];
  if (queue.length >= mostWaiting)
    return Promise.reject(
      new ConflictError('full', `State: ${mostWaiting} changes of "${key}" wait already.`),
    );
  const changed = new Promise<Value | undefined>((resolve, reject) => {
    queue.push({ to, next, resolve, reject } as Waiting);
  });
  if (!keys.has(key)) {
    keys.set(key, queue);
    detach(work(keys, key, queue), () => {});
  }
  return changed;
}

/** Makes the changes of a key until none waits. Never rejects. */
async function work(keys: Map<string, Waiting[]>, key: string, queue: Waiting[]): Promise<void> {
  for (let group = nextGroup(queue); group[0] !== undefined; group = nextGroup(queue)) {
    // A group that needs too much space is made one by one.
    if (!(await commit(group))) for (const one of group) await commit([one]);
  }
  keys.delete(key);
}

/** Returns the changes that can share a write: those with the fence of the first one. */
function nextGroup(queue: Waiting[]): readonly Waiting[] {
  const fence = queue[0]?.to.fence;
  const isLike = ({ to }: Waiting) => to.fence?.name === fence?.name && to.fence?.token === fence?.token;
  const end = queue.findIndex((one) => !isLike(one));
  return queue.splice(0, end === -1 ? queue.length : end);
}

/**
 * Makes the changes of a group with one write, and settles them.
 * @returns false, and settles none, if they must be made one by one: they need too much space.
 */
async function commit(group: readonly Waiting[]): Promise<boolean> {
  const { kv, key, clock = systemClock, read, seen } = (group[0] as Waiting).to;
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // The first attempt is repeated at once: most others write only now and then.
      if (attempt > 1) {
        // Random, so that processes that were in each other's way part.
        const most = Math.min(longestPause, firstPause * 2 ** (attempt - 2));
        await pause(clock, Math.random() * most, { holds: true });
      }
      const last = seen?.last ?? (await kv.get(key));
      if (seen !== undefined) seen.last = undefined;
      const found: SeenText | undefined = last === 'absent' ? undefined : last;
      const before = found && (found.written ?? (read ?? valueIn)(found.value, key));
      const made = new Applied(before);
      for (const one of group) {
        const next = made.next(one);
        if (next instanceof Promise) await next;
      }
      const { value, writer = group[0] as Waiting } = made;
      const written = await replaced(writer.to, { found, isSame: value === before, value });
      if (written === undefined) continue;
      if (seen !== undefined) seen.last = written.there;
      for (const settle of made.settles) settle();
      return true;
    }
    throw new ConflictError(
      'unavailable',
      `State: "${key}" was not changed. Others changed it ${attempts} times meanwhile; try again later.`,
    );
  } catch (error) {
    if (group.length > 1 && sizeFailures.has((error as StateError).reason)) return false;
    for (const { reject } of group) reject(error);
    return true;
  }
}

/** @throws Error without the text, which may be secret. */
function valueIn(text: string, key: string): unknown {
  const json = jsonIn(text);
  if (json !== undefined) return json;
  throw new Error(`State: the value of "${key}" is not JSON. Delete it if no other program needs it.`);
}

/** The changes of a group, made on a value and not yet written. */
class Applied {
  value: unknown;
  /** The first one that changed the value: it is written with its view and rules. */
  writer: Waiting | undefined;
  readonly settles: (() => void)[] = [];

  constructor(before: unknown) {
    this.value = before;
  }

  /** Makes one more change: at once, unless it is asynchronous. Does not throw or reject. */
  next(one: Waiting): Promise<void> | undefined {
    try {
      const next = one.next(this.value);
      if (!(next instanceof Promise)) return this.#made(one, next);
      return next.then(
        (value) => this.#made(one, value),
        (error: unknown) => this.#failed(one, error),
      );
    } catch (error) {
      return this.#failed(one, error);
    }
  }

  #made(one: Waiting, value: unknown): undefined {
    if (value !== this.value) this.writer ??= one;
    this.value = value;
    this.settles.push(() => one.resolve(value));
  }

  #failed(one: Waiting, error: unknown): undefined {
    this.settles.push(() => one.reject(error));
  }
}

interface Replacement {
  readonly found: VersionedValue | undefined;
  /** True if nothing is to be written. */
  readonly isSame: boolean;
  readonly value: unknown;
}

/** @returns what the key has afterwards; undefined if another process has written meanwhile. */
async function replaced(
  to: ChangedKey<unknown>,
  { found, isSame, value }: Replacement,
): Promise<{ readonly there: SeenText | undefined } | undefined> {
  const { kv, key, ttl, size = stateLimits.valueBytes, write = JSON.stringify, fence } = to;
  // A write with a version that no value has only checks the fence.
  if (fence !== undefined && (isSame || value === undefined))
    await kv.compareAndSet(key, '', { expected: noVersion, fence });
  if (isSame) return { there: found };
  if (value === undefined) return (await kv.delete(key, found?.version)) ? { there: undefined } : undefined;
  const text = write(value);
  // No text has more bytes of UTF-8 than three times its length.
  if (text.length * 3 > size && byteLength(text) > size)
    throw new StateError('too-large', `State: the value of "${key}" exceeds ${size} bytes.`);
  const options = { expected: found?.version, ttl: ttl?.(value), fence };
  const version = await kv.compareAndSet(key, text, options);
  return version === undefined ? undefined : { there: { value: text, version, written: value } };
}
