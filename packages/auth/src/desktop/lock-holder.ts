import { readlinkSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Clock } from '@tenon/mcp-session';

/** What stands in a lock file. */
export interface LockHolder {
  readonly pid: number;
  /** Where that process id means something: another machine or container has others. */
  readonly place: string;
  /** Different for each time a lock is held. */
  readonly token: string;
}

/** A lock file as it was at one moment. */
export interface SeenLock {
  /** Undefined for a file that its holder has not written, or not written to the end. */
  readonly holder: LockHolder | undefined;
  /** The same text as long as nobody touched the file. */
  readonly state: string;
}

// Far more than what stands in a lock.
const mostBytes = 4_096;

/** Where the process ids that this process sees mean something. */
export const thisPlace: string = `${hostname()} ${processNamespace()}`;

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Looks at a lock file; undefined when there is none. */
export async function lookAtLock(path: string): Promise<SeenLock | undefined> {
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
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { pid, place, token } = value;
    if (typeof pid !== 'number' || typeof place !== 'string' || typeof token !== 'string') return undefined;
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, place, token } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Watches one lock file that somebody else made, to tell whether he still lives. Only time that passes here counts, so
 * neither clocks that differ nor a machine that slept make a holder seem dead.
 */
export class LockWatch {
  readonly #stale: number;
  readonly #clock: Pick<Clock, 'now'>;
  #state = '';
  #since = 0;

  /** @param stale - milliseconds without a sign of life after which a holder is taken for dead. */
  constructor(stale: number, clock: Pick<Clock, 'now'>) {
    this.#stale = stale;
    this.#clock = clock;
  }

  /** True when its holder has ended, or has given no sign of life for too long. */
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
