import { detach, follow } from '@tenon/mcp-protocol/internal';
import { isTerminal } from '../model/task.js';
import type { TaskRecord } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';
import { ActiveTask, abandoned } from './task-worker.js';

/** Continues a task in this process if no process runs it. Returns at once, and never throws. */
export function takeOver(runtime: TaskRuntime, record: TaskRecord): void {
  const { active, host, running } = runtime;
  if (isTerminal(record.status) || active.has(record.taskId) || running.isDraining || running.isFull) return;
  detach(acquire(runtime, record.taskId), (error) => host.onError(error, `task ${record.taskId}`));
}

async function acquire(runtime: TaskRuntime, taskId: string): Promise<void> {
  const { active, host, running, store } = runtime;
  const lease = await store.acquire(taskId);
  if (lease === undefined) return;
  // Read again: the process that released the lease may have ended the task before.
  const record = await store.get(taskId);
  const isLeft =
    record !== undefined && !isTerminal(record.status) && !active.has(taskId) && !running.isDraining;
  if (!isLeft) {
    await lease.release();
    return;
  }
  if (!record.takeOver || record.call === undefined) {
    await store.change(taskId, abandoned(), lease);
    await lease.release();
    return;
  }
  const ended = running.add();
  const task = new ActiveTask(runtime, record, { lease, stop: new AbortController() });
  const outcome = host.run(record.call, task);
  follow(outcome, ended, ended);
  detach(task.finish(outcome), () => {});
}
