import { setTimeout as pause } from 'node:timers/promises';
import { SessionError } from '@tenon/mcp-client';
import { errorText } from '../storm/findings/known-errors.js';
import { answered } from './repeated-call.js';

/** @typedef {import('@tenon/mcp-tasks/client').TaskReference} TaskReference */
/** @typedef {import('@tenon/mcp-tasks/client').DetailedTask} DetailedTask */

/**
 * A task as its caller has seen it last.
 *
 * @typedef {{ reference: TaskReference, last: DetailedTask }} SeenTask
 */

/**
 * A task with a call that failed.
 *
 * @typedef {{ number: number, reference: TaskReference }} LeftTask
 */

/**
 * A task that its caller has seen ended, and the time of that.
 *
 * @typedef {{ number: number, endedAt: number }} EndedTask
 */

/** Milliseconds in which a task must end after the storm: its process was killed, and so was the one that sent its input requests. */
const endTime = 45_000;
/** Steps of a task that is cancelled: it is far from its end then. */
const long = { steps: 50, ms: 250 };
const terminal = ['completed', 'failed', 'cancelled'];

/**
 * Makes a call that becomes a task, and follows the task once more after its end, which must be the same.
 *
 * @param {import('./scenarios.js').Making} making
 * @param {string} tool
 * @returns {Promise<any[]>} both results; one if the call did not become a task
 */
export async function endedTask({ caller, connected, number, received }, tool) {
  const { random, ledger } = caller;
  const first = await connected.call(tool, { number, steps: random.whole(2, 6), ms: random.whole(20, 300) });
  const { tasks } = connected;
  const { task } = received;
  // A tool error, before there was a task.
  if (tasks === undefined || task === undefined) return [first];
  ledger.tasks.push({ number, endedAt: Date.now() });
  const { reference } = task;
  const before = await readTask(tasks, reference, ledger);
  const second = await tasks.resume(reference);
  const after = await readTask(tasks, reference, ledger);
  const seen = [task.last, before, after].filter(({ status }) => terminal.includes(status));
  const ends = new Set(seen.map(({ status, lastUpdatedAt }) => `${status} at ${lastUpdatedAt}`));
  if (ends.size !== 1 || !terminal.includes(before.status))
    ledger.recordFault(
      'task ended twice',
      `number ${number}: ${before.status}, then ${[...ends].join(', ')}`,
    );
  return [first, second];
}

/**
 * Cancels a task while it runs. Its call must reject because of that.
 *
 * @param {import('./scenarios.js').Making} making
 * @returns {Promise<string | undefined>} the problem
 */
export async function cancelledTask({ caller, connected, number, received }) {
  const { random, ledger } = caller;
  const began = new Promise((resolve) => {
    received.onTask = () => resolve(undefined);
  });
  const call = connected.call('work', { number, ...long });
  // It may reject before it is awaited below.
  call.catch(() => {});
  const inline = await Promise.race([began, call]);
  const { tasks } = connected;
  const { task } = received;
  if (tasks === undefined || task === undefined)
    return `the call did not become a task: ${JSON.stringify(inline)}`;
  const from = Date.now();
  await pause(random.whole(0, 1_000));
  await cancel(tasks, task.reference, ledger);
  // Of a cancellation that came too late, 2026-07-28 says nothing: nodes died until it was answered, and the task had the time to end.
  const wasLate = Date.now() - from > long.steps * long.ms;
  if (!wasLate) ledger.cancelled.push(number);
  try {
    await call;
    if (!wasLate) return 'a cancelled task has a result';
    ledger.note('tasks that ended before their cancellation was answered');
    return undefined;
  } catch (error) {
    if (!isCancelled(error)) throw error;
  }
  ledger.tasks.push({ number, endedAt: Date.now() });
  const { status } = await readTask(tasks, task.reference, ledger);
  if (status !== 'cancelled')
    ledger.recordFault('task ended twice', `number ${number}: cancelled, then ${status}`);
  return undefined;
}

/**
 * Cancels a task, again while there is no answer: that is without harm.
 *
 * @param {import('@tenon/mcp-tasks/client').TaskClient} tasks
 * @param {TaskReference} reference
 * @param {import('./cluster-ledger.js').ClusterLedger} ledger
 */
async function cancel(tasks, reference, ledger) {
  let isRepeated = false;
  const attempt = async () => {
    try {
      await tasks.cancel(reference);
    } catch (error) {
      const text = errorText(error);
      // An attempt without an answer had an effect.
      if (isRepeated && text.includes('The task has ended already: it is cancelled')) return;
      if (text.includes('Whether the request had an effect is not known'))
        throw new Error(text, { cause: error });
      throw error;
    }
  };
  await answered(attempt, () => {
    isRepeated = true;
    ledger.note('cancellations of tasks that were repeated by their program');
  });
}

/**
 * Follows a task to its end. Returns the problem if it has none.
 *
 * @param {import('./connected-client.js').ConnectedClient | undefined} connected
 * @param {LeftTask} left
 * @returns {Promise<string | undefined>}
 */
export async function endOf(connected, { reference }) {
  if (connected?.tasks === undefined) return 'its caller is not connected';
  const followed = connected.tasks.resume(reference, { signal: AbortSignal.timeout(endTime) });
  try {
    await followed;
    return undefined;
  } catch (error) {
    // A task that has failed has ended, too.
    const { status } = await connected.tasks.get(reference).catch(() => ({ status: 'unknown' }));
    return terminal.includes(status) ? undefined : `${status}: ${errorText(error)}`;
  }
}

/**
 * @param {import('@tenon/mcp-tasks/client').TaskClient} tasks
 * @param {TaskReference} reference
 * @param {import('./cluster-ledger.js').ClusterLedger} ledger
 */
function readTask(tasks, reference, ledger) {
  return answered(
    () => tasks.get(reference),
    () => ledger.note('requests for tasks that were repeated by their program'),
  );
}

/** @param {unknown} error */
function isCancelled(error) {
  return error instanceof SessionError && error.reason === 'cancelled';
}
