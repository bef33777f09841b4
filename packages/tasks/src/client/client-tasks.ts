import { detach, isRecord, onAbort } from '@tenon/foundation';
import type { ToolResult } from '@tenon/mcp-client';
import type { ExtendedCall, ExtensionClient } from '@tenon/mcp-client/extension';
import { SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import { fromCoreTask } from '../model/core-wire.js';
import { fromExtensionTask } from '../model/extension-wire.js';
import {
  type DetailedTask,
  immediateResponseKey,
  isTerminal,
  type Task,
  taskResultType,
} from '../model/task.js';
import { InputLedger } from './input-ledger.js';
import { TaskDriver } from './task-driver.js';
import { TaskListening } from './task-listening.js';
import type { TaskChange, TaskSettings } from './task-options.js';
import { isTaskId, referenceTo, type TaskReference } from './task-reference.js';
import { TaskRequests } from './task-requests.js';
import { TaskUpdates } from './task-updates.js';

/** A task that a client follows to its end. */
export interface FollowedTask {
  readonly result: Promise<ToolResult>;
  readonly updates: TaskUpdates;
}

/** The task to follow. */
export interface FollowedReference {
  readonly reference: TaskReference;
  /** The task as the server created it; undefined if it is not known yet. */
  readonly created: DetailedTask | undefined;
  /** Further data of the creation. */
  readonly change?: TaskChange;
  /** Stops following the task, and cancels it. */
  readonly signal: AbortSignal | undefined;
}

interface Following extends FollowedTask {
  readonly driver: TaskDriver;
  readonly stop: AbortController;
}

/** The tasks that one client follows. */
export class ClientTasks {
  readonly #client: ExtensionClient;
  readonly #settings: TaskSettings;
  readonly #listening: TaskListening;
  readonly #following = new Map<string, Following>();
  /** Of the tasks that were followed last, so that no input request is answered twice after the task is followed again. */
  readonly #ledgers = new Map<string, InputLedger>();
  #isStopped = false;

  constructor(client: ExtensionClient, settings: TaskSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#listening = new TaskListening(client, settings.bounds.listening);
  }

  /** Returns the final result for the result of a call that has become a task. */
  async settle(result: UnknownObject, { params, options }: ExtendedCall): Promise<ToolResult> {
    const wire = result.resultType === taskResultType ? 'extension' : 'core';
    const { name } = params;
    if (wire === 'core' && params.task === undefined)
      throw invalid(name, 'is a task, which the call did not request');
    const created = wire === 'core' ? coreTask(result.task) : fromExtensionTask(result);
    if (created === undefined || !isTaskId(created.taskId)) throw invalid(name, 'is not a valid task');
    const { signal } = options;
    const server = await this.#client.waitForServer(signal);
    const reference = referenceTo(server, { wire, taskId: created.taskId }, params);
    const immediate = isRecord(result._meta) ? result._meta[immediateResponseKey] : undefined;
    const change = typeof immediate === 'string' ? { immediateResponse: immediate } : noMore;
    return this.follow({ reference, created, change, signal }).result;
  }

  /** Cancels a task that was created for a call which has been cancelled meanwhile. */
  async abandon({ task }: UnknownObject, { params }: ExtendedCall): Promise<void> {
    const { taskId } = coreTask(task) ?? {};
    if (!isTaskId(taskId)) return;
    const server = await this.#client.waitForServer();
    this.#giveUp(referenceTo(server, { wire: 'core', taskId }, params));
  }

  /** Follows a task to its end. A task that is followed already is followed once: its result and updates are shared. */
  follow({ reference, created, change = noMore, signal }: FollowedReference): FollowedTask {
    const { bounds } = this.#settings;
    const { taskId } = reference;
    const known = this.#following.get(taskId);
    if (known !== undefined) return known;
    if (this.#isStopped) throw closed();
    if (this.#following.size >= bounds.running) {
      if (created !== undefined) this.#giveUp(reference);
      throw new SessionError(
        'limit',
        `${bounds.running} tasks are followed already: try again when one has ended.`,
      );
    }
    const updates = new TaskUpdates();
    const stop = new AbortController();
    const driver = new TaskDriver({
      client: this.#client,
      bounds,
      reference,
      created,
      ledger: this.#ledgerOf(taskId),
      signal: stop.signal,
      onTask: (task) => {
        updates.push(task);
        if (isTerminal(task.status)) this.#ledgers.delete(taskId);
        this.#report(task, reference, task === created ? change : noMore);
      },
    });
    const following = {
      driver,
      updates,
      stop,
      result: this.#run({ reference, driver, updates, stop, signal }),
    };
    this.#following.set(taskId, following);
    return following;
  }

  /** Receives a task from a notification of the server. */
  notified(task: Task | undefined): void {
    if (task !== undefined) this.#following.get(task.taskId)?.driver.take(task);
  }

  sessionBegan(): void {
    this.#listening.sessionBegan();
  }

  /** The client has closed: its tasks go on at the server. */
  stop(): void {
    this.#isStopped = true;
    for (const { stop } of this.#following.values()) stop.abort(closed());
  }

  async #run({
    reference,
    driver,
    updates,
    stop,
    signal,
  }: Omit<Following, 'result'> & {
    readonly reference: TaskReference;
    readonly signal: AbortSignal | undefined;
  }): Promise<ToolResult> {
    const release = onAbort(signal, () => stop.abort(signal?.reason));
    const endListening = this.#listening.begin(reference, driver);
    try {
      return await driver.run();
    } finally {
      release();
      endListening();
      updates.end();
      this.#following.delete(reference.taskId);
    }
  }

  #ledgerOf(taskId: string): InputLedger {
    const ledger = this.#ledgers.get(taskId) ?? new InputLedger();
    this.#ledgers.delete(taskId);
    this.#ledgers.set(taskId, ledger);
    for (const oldest of this.#ledgers.keys()) {
      if (this.#ledgers.size <= this.#settings.bounds.running) break;
      this.#ledgers.delete(oldest);
    }
    return ledger;
  }

  #report(task: DetailedTask, reference: TaskReference, change: TaskChange): void {
    const report = (error: unknown) => this.#client.onError(error);
    try {
      const work = this.#settings.onTask?.(task, reference, change);
      if (work instanceof Promise) detach(work, report);
    } catch (error) {
      report(error);
    }
  }

  #giveUp(reference: TaskReference): void {
    detach(new TaskRequests(this.#client, reference).cancel(), (error) => this.#client.onError(error));
  }
}

const noMore: TaskChange = Object.freeze({});

function coreTask(value: unknown): Task | undefined {
  return isRecord(value) ? fromCoreTask(value) : undefined;
}

function invalid(tool: string, problem: string): SessionError {
  return new SessionError('invalid-answer', `The answer to the call of the tool "${tool}" ${problem}.`);
}

function closed(): SessionError {
  return new SessionError('closed', 'The client was closed; the task goes on at the server.');
}
