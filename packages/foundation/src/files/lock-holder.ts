import { readlinkSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
// By the name of the package, so that the entry of programs without files stays one file.
import { type Clock, isRecord, jsonIn } from '@tenon/foundation';

/** The content of a lock file. */
export interface LockHolder {
  readonly pid: number;
  /** The machine or container of the process id; process ids of others mean other processes. */
  readonly place: string;
  /** Different for each time that a lock is held. */
  readonly token: string;
}

/** A lock file as it was read. */
export interface SeenLock {
  /** Undefined if the file has no complete content. */
  readonly holder: LockHolder | undefined;
  /** Unchanged as long as the file is not touched. */
  readonly state: string;
}

// Far more than the content of a lock file.
const mostBytes = 4_096;

/** The machine or container of this process. */
export const thisPlace: string = `${hostname()} ${processNamespace()}`;

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Reads a lock file; undefined if there is none. */
export async function readLock(path: string): Promise<SeenLock | undefined> {
  try {
    const { ino, mtimeMs } = await lstat(path);
    const text = await startOf(path);
    return { holder: holderIn(text), state: `${ino} ${mtimeMs} ${text}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function startOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(mostBytes), 0, mostBytes, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function holderIn(text: string): LockHolder | undefined {
  const value = jsonIn(text);
  if (!isRecord(value)) return undefined;
  const { pid, place, token } = value;
  if (typeof pid !== 'number' || typeof place !== 'string' || typeof token !== 'string') return undefined;
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, place, token } : undefined;
}

/**
 * Decides whether the holder of a lock is dead. Measures only time in this process, so that different clocks or a suspended
 * machine do not make a holder count as dead.
 */
export class LockWatch {
  readonly #stale: number;
  readonly #clock: Pick<Clock, 'now'>;
  #state = '';
  #since = 0;

  /** @param stale - milliseconds without an update after which a holder counts as dead. */
  constructor(stale: number, clock: Pick<Clock, 'now'>) {
    this.#stale = stale;
    this.#clock = clock;
  }

  /** True if the holder has ended, or has not touched the lock for too long. */
  isDead(lock: SeenLock): boolean {
    if (lock.state !== this.#state) {
      this.#state = lock.state;
      this.#since = this.#clock.now();
    }
    return hasEnded(lock.holder) || this.#clock.now() - this.#since >= this.#stale;
  }
}

function hasEnded(holder: LockHolder | undefined): boolean {
  if (holder === undefined || holder.place !== thisPlace) return false;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
