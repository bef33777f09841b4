import { detach, follow } from '@tenon/foundation';
import { isTerminal } from '../model/task.js';
import { callerName } from './callers.js';
import type { TaskRecord } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';
import { ActiveTask, abandoned } from './task-worker.js';

/** Continues a task in this process if no process runs it. Returns at once, and never throws. */
export function takeOver(runtime: TaskRuntime, record: TaskRecord): void {
  const { active, report, running } = runtime;
  if (isTerminal(record.status) || active.has(record.taskId) || running.isDraining) return;
  const caller = callerName({ ...record.call, session: record.session });
  if (running.obstacle(caller) !== undefined) return;
  detach(acquire(runtime, record.taskId, caller), (error) => report(error, `task ${record.taskId}`));
}

async function acquire(runtime: TaskRuntime, taskId: string, caller: string): Promise<void> {
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
    await store.change(record, abandoned(), lease);
    await lease.release();
    return;
  }
  host.events.emit({ type: 'call-continued', name: record.call.tool, task: taskId });
  const ended = running.add(caller);
  const task = new ActiveTask(runtime, record, { lease, stop: new AbortController() });
  follow(task.finish(host.run(record.call, task)), ended, ended);
}
