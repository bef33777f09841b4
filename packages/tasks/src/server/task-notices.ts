import { detach } from '@tenon/foundation';
import { latestStateless } from '@tenon/mcp-protocol';
import { leaseTime } from '@tenon/mcp-state/extension';
import { toCoreTask } from '../model/core-wire.js';
import { taskChanged, taskStatusChanged } from '../model/methods.js';
import { isTerminal } from '../model/task.js';
import { takeOver } from './take-over.js';
import { type TaskRecord, taskOf } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';
import { detailedTask } from './task-shapes.js';

/** A task with a listener in this process. */
interface Listened {
  /** True if it has changed since it was read last. */
  isDue: boolean;
  isRead: boolean;
}

/** Notifies the clients of this process of changed tasks: sessions of the tasks they made, and listen streams of those they name. */
export class TaskNotices {
  readonly #runtime: TaskRuntime;
  readonly #listened = new Map<string, Listened>();
  #cancelCheck: (() => void) | undefined;

  constructor(runtime: TaskRuntime) {
    this.#runtime = runtime;
  }

  /** Notifies of the changes of a task until it ends. @returns false if there are too many such tasks. */
  add(taskId: string): boolean {
    if (this.#listened.has(taskId)) return true;
    if (this.#listened.size >= this.#runtime.settings.limits.listened) return false;
    this.#listened.set(taskId, { isDue: false, isRead: false });
    this.#cancelCheck ??= this.#runtime.host.clock.schedule(() => this.#check(), leaseTime);
    return true;
  }

  /** Reads the task and notifies its listeners. Notices of one task are in the order of its changes. */
  changed(taskId: string): void {
    const listened = this.#listened.get(taskId);
    if (listened === undefined) return;
    listened.isDue = true;
    if (!listened.isRead) detach(this.#read(taskId, listened), (error) => this.#report(error));
  }

  stop(): void {
    this.#cancelCheck?.();
    this.#listened.clear();
  }

  /** Looks for tasks without a process from time to time: a process that was killed announces nothing. */
  #check(): void {
    this.#cancelCheck = undefined;
    for (const taskId of this.#listened.keys())
      detach(this.#continue(taskId), (error) => this.#report(error));
    if (this.#listened.size > 0)
      this.#cancelCheck = this.#runtime.host.clock.schedule(() => this.#check(), leaseTime);
  }

  async #continue(taskId: string): Promise<void> {
    const record = await this.#runtime.store.get(taskId);
    if (record === undefined) this.#listened.delete(taskId);
    else takeOver(this.#runtime, record);
  }

  async #read(taskId: string, listened: Listened): Promise<void> {
    listened.isRead = true;
    try {
      while (listened.isDue) {
        listened.isDue = false;
        const record = await this.#runtime.store.get(taskId);
        if (record !== undefined) await this.#publish(record);
        if (record !== undefined) takeOver(this.#runtime, record);
        if (record === undefined || isTerminal(record.status)) this.#listened.delete(taskId);
      }
    } finally {
      listened.isRead = false;
    }
  }

  async #publish(record: TaskRecord): Promise<void> {
    const { host } = this.#runtime;
    const { taskId, session } = record;
    if (session !== undefined) await host.publish(taskStatusChanged, toCoreTask(taskOf(record)), { session });
    const matches = (accepted: unknown) => Array.isArray(accepted) && accepted.includes(taskId);
    await host.publish(taskChanged, detailedTask(record, latestStateless), { filter: 'taskIds', matches });
  }

  #report(error: unknown): void {
    this.#runtime.report(error, 'notifications/tasks');
  }
}
