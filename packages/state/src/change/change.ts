import type { Clock } from '@tenon/foundation';
import { detach } from '@tenon/mcp-protocol/internal';
import { byteLength, stateLimits } from '../keys.js';
import type { Fence, KeyValueStore, VersionedValue } from '../state.js';
import { StateError } from '../state-error.js';

/** A key with a JSON value, and the rules of its changes. */
export interface ChangedKey<Value> {
  readonly kv: KeyValueStore;
  /** The store that `kv` is a view of: changes by all of its views share writes. Default: `kv`. */
  readonly backend?: KeyValueStore;
  readonly key: string;
  /** The clock of the pauses between attempts. */
  readonly clock: Pick<Clock, 'schedule'>;
  /** Returns the milliseconds until a value is gone. Default: it stays until it is deleted. */
  readonly ttl?: (value: Value) => number;
  /** Bytes of UTF-8 that the value may have as JSON. Default: as many as the state allows. */
  readonly size?: number;
  /** The lease that the change depends on, checked even if nothing changes. Default: none. */
  readonly fence?: Fence | undefined;
}

/** Returns the next value; the same one to write nothing, undefined to delete the key. Pure: it may be called several times. */
export type Change<Value> = (value: Value | undefined) => Value | undefined;

/** A change that waits for those before it. */
interface Waiting {
  readonly to: ChangedKey<unknown>;
  readonly next: Change<unknown>;
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

const queues = new WeakMap<KeyValueStore, Map<string, Waiting[]>>();

/**
 * Changes a value, on top of what other processes have written. Changes of one key that are requested while this process changes it
 * share one read and one write.
 * @returns the value after this change. Rejects with what `next` throws.
 * @throws StateError: `unavailable` also if others change the key all the time, `full` also if too many changes of it wait,
 * `too-large` if the value exceeds `size`, `fenced` if a later holder acquired the lease.
 */
export function change<Value>(to: ChangedKey<Value>, next: Change<Value>): Promise<Value | undefined> {
  const { key, kv, backend = kv } = to;
  const keys = queues.get(backend) ?? new Map<string, Waiting[]>();
  queues.set(backend, keys);
  const queue = keys.get(key) ?? [];
  if (queue.length >= mostWaiting)
    return Promise.reject(new StateError('full', `State: ${mostWaiting} changes of "${key}" wait already.`));
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
    if (await commit(group)) continue;
    for (const one of group) await commit([one]);
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

/** Settles all changes of a group. @returns false, and settles none, if they must be made one by one: they need too much space. */
async function commit(group: readonly Waiting[]): Promise<boolean> {
  try {
    for (const settle of await written(group)) settle();
  } catch (error) {
    if (group.length > 1 && sizeFailures.has((error as StateError).reason)) return false;
    for (const { reject } of group) reject(error);
  }
  return true;
}

/** Makes the changes of a group with one write. @returns the functions that settle each of them. */
async function written(group: readonly Waiting[]): Promise<readonly (() => void)[]> {
  const { kv, key, clock } = (group[0] as Waiting).to;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // The first attempt is repeated at once: most others write only now and then.
    if (attempt > 1) await pause(clock, Math.min(longestPause, firstPause * 2 ** (attempt - 2)));
    const found = await kv.get(key);
    const before: unknown = found && JSON.parse(found.value);
    let value = before;
    const settles = group.map(({ next, resolve, reject }) => {
      try {
        value = next(value);
      } catch (error) {
        return () => reject(error);
      }
      const own = value;
      return () => resolve(own);
    });
    if (await replaced((group[0] as Waiting).to, { found, isSame: value === before, value })) return settles;
  }
  throw new StateError(
    'unavailable',
    `State: "${key}" was not changed. Others changed it ${attempts} times meanwhile; try again later.`,
  );
}

interface Replacement {
  readonly found: VersionedValue | undefined;
  /** True if nothing is to be written. */
  readonly isSame: boolean;
  readonly value: unknown;
}

/** @returns false if another process has written meanwhile. */
async function replaced(to: ChangedKey<unknown>, { found, isSame, value }: Replacement): Promise<boolean> {
  const { kv, key, ttl, size = stateLimits.valueBytes, fence } = to;
  // A write with a version that no value has only checks the fence.
  if (fence !== undefined && (isSame || value === undefined))
    await kv.compareAndSet(key, '', { expected: noVersion, fence });
  if (isSame) return true;
  if (value === undefined) return kv.delete(key, found?.version);
  const text = JSON.stringify(value);
  // No text has more bytes of UTF-8 than three times its length.
  if (text.length * 3 > size && byteLength(text) > size)
    throw new StateError('too-large', `State: the value of "${key}" exceeds ${size} bytes.`);
  const options = { expected: found?.version, ttl: ttl?.(value), fence };
  return (await kv.compareAndSet(key, text, options)) !== undefined;
}

/** Waits up to so many milliseconds: processes that were in each other's way part. */
function pause(clock: Pick<Clock, 'schedule'>, most: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(resolve, Math.random() * most));
}
