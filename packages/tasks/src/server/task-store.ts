import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Fence, Lease, State, VersionedValue } from '@tenon/mcp-state';
import { stateLimits } from '@tenon/mcp-state';
import type { TaskRecord, Transition } from './task-record.js';
import type { TaskSettings } from './task-settings.js';

/** Attempts to write, while other processes change the same task. */
const attempts = 32;
const idPattern = /^[A-Za-z0-9_-]{22}$/;

/** Milliseconds until another process may take over a task after the last sign of its process. */
export const leaseTime = 15_000;

/** A task needs more bytes in the state than its limit. */
export class RecordTooLargeError extends Error {
  override readonly name = 'RecordTooLargeError';
}

/** A task in the list of its caller: its id, and the time at which it expires. */
type Listed = readonly (readonly [taskId: string, expires: number])[];

/** The tasks in the state of the server, and the list of the tasks of each caller. */
export class TaskStore {
  readonly #kv: State['kv'];
  readonly #leases: State['leases'];
  readonly #settings: TaskSettings;
  readonly #announce: (taskId: string) => void;

  /** @param announce - called with the id of each task that has changed. */
  constructor(
    { kv, leases }: Pick<State, 'kv' | 'leases'>,
    settings: TaskSettings,
    announce: (taskId: string) => void,
  ) {
    this.#kv = kv;
    this.#leases = leases;
    this.#settings = settings;
    this.#announce = announce;
  }

  /**
   * Writes a new task.
   * @param list - the list that the task belongs to.
   * @throws RpcError overloaded if the list is full or the state cannot be reached; RecordTooLargeError.
   */
  async create(record: TaskRecord, list: string, fence: Fence): Promise<void> {
    const text = this.#textOf(record);
    await this.#reached(async () => {
      // First, so that no task exists that is not counted.
      await this.#addTo(list, [record.taskId, record.created + record.ttl]);
      const options = { expected: undefined, ttl: record.ttl, fence };
      const version = await this.#kv.compareAndSet(recordKey(record.taskId), text, options);
      if (version === undefined) throw new Error(`The task ${record.taskId} is there already.`);
    });
  }

  /**
   * Acquires the lease of a task, which fences its record. @returns undefined if a process has it.
   * @throws RpcError overloaded if the state cannot be reached.
   */
  acquire(taskId: string): Promise<Lease | undefined> {
    return this.#reached(() => this.#leases.acquire(`task/${taskId}`, leaseTime));
  }

  /**
   * Returns a task; undefined if it is unknown or its time is over.
   * @throws RpcError overloaded if the state cannot be reached.
   */
  async get(taskId: string): Promise<TaskRecord | undefined> {
    if (!isTaskId(taskId)) return undefined;
    const found = await this.#reached(() => this.#kv.get(recordKey(taskId)));
    return this.#read(found)?.record;
  }

  /**
   * Changes a task, and announces the change. The transition runs again if another process was faster.
   * @returns the task after the change; undefined if it is unknown or its time is over.
   * @throws RpcError overloaded if the state cannot be reached; StateError `fenced` if another process has the task;
   * RecordTooLargeError.
   */
  async change(taskId: string, transition: Transition, fence?: Fence): Promise<TaskRecord | undefined> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const found = this.#read(await this.#reached(() => this.#kv.get(recordKey(taskId))));
      if (found === undefined) return undefined;
      const { record, version, left } = found;
      const next = transition(record);
      if (next === record) return record;
      const changed = { ...next, updated: Math.max(record.updated, this.#settings.now()) };
      const text = this.#textOf(changed);
      const options = { expected: version, ttl: left, fence };
      const written = await this.#reached(() => this.#kv.compareAndSet(recordKey(taskId), text, options));
      if (written === undefined) continue;
      this.#announce(taskId);
      return changed;
    }
    throw new RpcError(ErrorCode.overloaded, 'The task changes too often; try again later.');
  }

  /** Returns the ids of a list, the oldest first. */
  async list(list: string): Promise<readonly string[]> {
    const found = await this.#reached(() => this.#kv.get(listKey(list)));
    return this.#alive(found).map(([taskId]) => taskId);
  }

  async #addTo(list: string, entry: Listed[number]): Promise<void> {
    const { perCaller } = this.#settings.limits;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const found = await this.#kv.get(listKey(list));
      const listed = this.#alive(found);
      if (listed.length >= perCaller)
        throw new RpcError(
          ErrorCode.overloaded,
          `There are ${perCaller} tasks of this caller already; try again when some of them have expired.`,
        );
      const all = [...listed, entry];
      const until = Math.max(...all.map(([, expires]) => expires));
      const options = { expected: found?.version, ttl: Math.max(1, until - this.#settings.now()) };
      const written = await this.#kv.compareAndSet(listKey(list), JSON.stringify(all), options);
      if (written !== undefined) return;
    }
    throw new RpcError(ErrorCode.overloaded, 'This caller makes too many tasks at once; try again later.');
  }

  #alive(found: VersionedValue | undefined): Listed {
    const now = this.#settings.now();
    const listed = found === undefined ? [] : (JSON.parse(found.value) as Listed);
    return listed.filter(([, expires]) => expires > now);
  }

  /** Returns the task, its version and the milliseconds until it expires. */
  #read(found: VersionedValue | undefined) {
    if (found === undefined) return undefined;
    const record = JSON.parse(found.value) as TaskRecord;
    if (!isObject(record) || typeof record.taskId !== 'string') return undefined;
    const left = record.created + record.ttl - this.#settings.now();
    return left > 0 ? { record, version: found.version, left } : undefined;
  }

  #textOf(record: TaskRecord): string {
    const { recordSize } = this.#settings.limits;
    const text = JSON.stringify(record);
    const most = Math.min(recordSize, stateLimits.valueBytes);
    // No text has more bytes of UTF-8 than three times its length.
    if (text.length * 3 <= most || new TextEncoder().encode(text).length <= most) return text;
    throw new RecordTooLargeError(
      `The task needs more than ${most} bytes: return links to large data in place of the data, or raise limits.recordSize.`,
    );
  }

  async #reached<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw isStateError(error) && error.reason !== 'fenced' ? unreachable(error) : error;
    }
  }
}

/** 128 random bits in base64url. */
export function newTaskId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (one) => ({ '+': '-', '/': '_' })[one] ?? '');
}

/** True for a text that can be the id of a task: others never reach the state. */
export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}

/** True if another process has acquired the lease of a task. */
export function isFenced(error: unknown): boolean {
  return isStateError(error) && error.reason === 'fenced';
}

function isStateError(error: unknown): error is Error & { readonly reason: string } {
  return error instanceof Error && error.name === 'StateError';
}

/** The error for a caller that sent too much for one task. @param what - the beginning of a sentence, such as "The answers are". */
export function tooLarge(what: string, cause: RecordTooLargeError): RpcError {
  return new RpcError(ErrorCode.invalidParams, `${what} too large for a task. ${cause.message}`, { cause });
}

function unreachable(cause: unknown): RpcError {
  const message = 'The state of the server cannot be reached; try again later.';
  return new RpcError(ErrorCode.overloaded, message, { cause });
}

function recordKey(taskId: string): string {
  return `task/${taskId}/record`;
}

function listKey(list: string): string {
  return `task-list/${list}`;
}
