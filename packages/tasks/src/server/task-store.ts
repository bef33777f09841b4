import { isRecord } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { ExtensionHost } from '@tenon/mcp-server/extension';
import { type Fence, type State, type StateFailure, stateLimits } from '@tenon/mcp-state';
import { type ChangedKey, change, HeldLease, stateFailureOf } from '@tenon/mcp-state/extension';
import type { TaskRecord, Transition } from './task-record.js';
import type { TaskSettings } from './task-settings.js';

const idPattern = /^[A-Za-z0-9_-]{22}$/;

/** A task needs more bytes in the state than its limit. */
export class RecordTooLargeError extends Error {
  override readonly name = 'RecordTooLargeError';
}

/** A task in a list: its id, and the time at which it expires. */
type Listed = readonly (readonly [taskId: string, expires: number])[];

/** The parts of {@link TaskStore}. */
export interface TaskStoreParts {
  readonly host: ExtensionHost;
  readonly state: State;
  readonly settings: TaskSettings;
  /** Called with the id of each task that has changed. */
  readonly announce: (taskId: string) => void;
  /** Returns the receiver of the failures of a task. */
  readonly report: (taskId: string) => (error: unknown) => void;
}

/** The tasks in the state of the server, and the lists of the tasks of each caller. */
export class TaskStore {
  readonly #parts: TaskStoreParts;

  constructor(parts: TaskStoreParts) {
    this.#parts = parts;
  }

  /**
   * Writes a new task.
   * @param lists - the lists that the task belongs to.
   * @throws RpcError if a list is full or the state does not accept the task; RecordTooLargeError.
   */
  async create(record: TaskRecord, lists: readonly string[], fence: Fence): Promise<void> {
    const added: string[] = [];
    try {
      // First, so that no task exists that is not counted.
      for (const list of lists) {
        await this.#changeList(record, list, (listed) => this.#with(listed, record));
        added.push(list);
      }
      await this.#changeRecord(record, fence, () => record);
    } catch (error) {
      // A failure only leaves the task in the list until its time is over.
      for (const list of added) await this.#changeList(record, list, without(record)).catch(() => {});
      throw error;
    }
  }

  /**
   * Acquires the lease of a task, which fences its record. @returns undefined if a process has it.
   * @throws RpcError overloaded if the state does not answer.
   */
  acquire(taskId: string): Promise<HeldLease | undefined> {
    const { host, state, report } = this.#parts;
    const options = { leases: state.leases, clock: host.clock, report: report(taskId) };
    return this.#reached(() => HeldLease.acquire(options, `task/${taskId}`));
  }

  /** Renews the lease of a task now. @returns false if it is lost. @throws RpcError overloaded if the state does not answer. */
  renew(lease: HeldLease): Promise<boolean> {
    return this.#reached(() => lease.renew());
  }

  /**
   * Returns a task; undefined if it is unknown or its time is over.
   * @throws RpcError overloaded if the state does not answer.
   */
  async get(taskId: string): Promise<TaskRecord | undefined> {
    if (!isTaskId(taskId)) return undefined;
    const found = await this.#reached(() => this.#parts.state.kv.get(recordKey(taskId)));
    return this.#alive(found && JSON.parse(found.value));
  }

  /**
   * Changes a task, and announces the change. The transition runs again if another process was faster.
   * @param of - the task as it was read before.
   * @returns the task after the change; undefined if it is unknown or its time is over.
   * @throws RpcError if the state does not accept the change; StateError `fenced` if another process has the task, even if
   * nothing changes; RecordTooLargeError.
   */
  async change(of: TaskRecord, transition: Transition, fence?: Fence): Promise<TaskRecord | undefined> {
    let changed: TaskRecord | undefined;
    let isWritten = false;
    await this.#changeRecord(of, fence, (found) => {
      const record = this.#alive(found);
      const next = record && transition(record);
      isWritten = next !== undefined && next !== record;
      changed = record;
      if (record === undefined || next === undefined || !isWritten) return found;
      changed = { ...next, updated: Math.max(record.updated, this.#parts.settings.now()) };
      return changed;
    });
    if (isWritten) this.#parts.announce(of.taskId);
    return changed;
  }

  /** Returns the ids of a list, the oldest first. */
  async list(list: string): Promise<readonly string[]> {
    const found = await this.#reached(() => this.#parts.state.kv.get(listKey(list)));
    return this.#listed(found && JSON.parse(found.value)).map(([taskId]) => taskId);
  }

  /** Returns the store for all that is written for the caller of a task. */
  async #storeOf({ call }: TaskRecord): Promise<Pick<ChangedKey<unknown>, 'kv' | 'backend' | 'clock'>> {
    const { host, state } = this.#parts;
    const { kv } = call === undefined ? state : await host.stateOf(call, state);
    return { kv, backend: state.kv, clock: host.clock };
  }

  #changeRecord(
    task: TaskRecord,
    fence: Fence | undefined,
    next: (found: TaskRecord | undefined) => TaskRecord | undefined,
  ): Promise<unknown> {
    const { settings } = this.#parts;
    const { recordSize } = settings.limits;
    const size = Math.min(recordSize, stateLimits.valueBytes);
    const ttl = ({ created, ttl }: TaskRecord) => Math.max(1, created + ttl - settings.now());
    return this.#reached(async () =>
      change<TaskRecord>(
        { ...(await this.#storeOf(task)), key: recordKey(task.taskId), ttl, size, fence },
        next,
      ),
    );
  }

  #changeList(task: TaskRecord, list: string, next: (listed: Listed) => Listed): Promise<unknown> {
    const { settings } = this.#parts;
    const ttl = (listed: Listed) => Math.max(...listed.map(([, expires]) => expires)) - settings.now();
    return this.#reached(async () =>
      change<Listed>({ ...(await this.#storeOf(task)), key: listKey(list), ttl }, (found) => {
        const listed = next(this.#listed(found));
        return listed.length === 0 ? undefined : listed;
      }),
    );
  }

  #with(listed: Listed, { taskId, created, ttl }: TaskRecord): Listed {
    const { perCaller } = this.#parts.settings.limits;
    if (listed.length < perCaller) return [...listed, [taskId, created + ttl]];
    throw new RpcError(
      ErrorCode.overloaded,
      `There are ${perCaller} tasks of this caller already; try again when some of them have expired.`,
    );
  }

  /** Returns the tasks of a list that have not expired. */
  #listed(found: Listed | undefined): Listed {
    const now = this.#parts.settings.now();
    return (found ?? []).filter(([, expires]) => expires > now);
  }

  /** Returns the task unless its time is over. */
  #alive(record: TaskRecord | undefined): TaskRecord | undefined {
    if (!isRecord(record) || typeof record.taskId !== 'string') return undefined;
    return record.created + record.ttl > this.#parts.settings.now() ? record : undefined;
  }

  async #reached<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      const reason = stateFailureOf<StateFailure>(cause);
      if (reason === undefined || reason === 'fenced') throw cause;
      if (reason !== 'too-large') throw refused(reason, cause);
      const size = Math.min(this.#parts.settings.limits.recordSize, stateLimits.valueBytes);
      const message = `The task needs more than ${size} bytes: return links to large data in place of the data.`;
      throw new RecordTooLargeError(message, { cause });
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

/** The error for a caller that sent too much for one task. @param what - the beginning of a sentence, such as "The answers are". */
export function tooLarge(what: string, cause: RecordTooLargeError): RpcError {
  return new RpcError(ErrorCode.invalidParams, `${what} too large for a task. ${cause.message}`, { cause });
}

/** Milliseconds after which a caller may try again that has used up its share of the state. */
const retryAfterMs = 10_000;

/** The messages for the failures of the state, by reason. */
const unwritten: Readonly<Record<Exclude<StateFailure, 'fenced' | 'too-large'>, string>> = {
  unavailable: 'The state of the server cannot be reached; try again later.',
  closed: 'The state of the server was closed; try again later.',
  full: 'The state of the server is full; try again later.',
  quota:
    'This caller has used up its share of the state of the server; try again when some of its tasks have expired.',
};

/** A caller that has used up its share receives the error of one that has reached a rate, as from other parts of the server. */
function refused(reason: keyof typeof unwritten, cause: unknown): RpcError {
  if (reason !== 'quota') return new RpcError(ErrorCode.overloaded, unwritten[reason], { cause });
  return new RpcError(ErrorCode.rateLimited, unwritten.quota, { data: { retryAfterMs }, cause });
}

/** Returns a list without a task. */
function without({ taskId }: TaskRecord): (listed: Listed) => Listed {
  return (listed) => listed.filter(([listedId]) => listedId !== taskId);
}

function recordKey(taskId: string): string {
  return `task/${taskId}/record`;
}

function listKey(list: string): string {
  return `task-list/${list}`;
}
