import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ErrorCode } from '@tenon/mcp-client';
import { begunAfter, judged } from '../run/once-verdicts.js';
import { callTool, createTask, getTask, hasEnded } from '../wire/stateless.js';

/** @typedef {import('../nodes/stage.js').Stage} Stage */
/** @typedef {{ number: number, taskId: string }} MadeTask */
/** @typedef {import('../wire/raw-session.js').Call & { key: string }} KeyedCall */

/** Tasks, and as many calls with a key. */
const each = 3;
/** One step, then time in which the state becomes full. */
const given = { steps: 1, ms: 3_000 };
/** Milliseconds for which the state is full: more than a process tries to write the end of a task. */
const full = 45_000;
/** Milliseconds until all must have ended when the state accepts writes again. */
const bound = 45_000;

/** @type {import('./index.js').Incident} */
export const fullState = {
  name: 'full-state',
  about:
    'the state is full while handlers of tasks and of calls with a key finish, and accepts writes again later',
  run: async (stage) => {
    const nodes = await stage.nodes(2);
    let turn = 0;
    const next = () => ({ url: nodes[turn++ % nodes.length]?.url ?? '' });
    const first = next();
    const tasks = await Promise.all(Array.from({ length: each }, () => madeTask(stage, first)));
    /** @type {KeyedCall[]} */
    const calls = Array.from({ length: each }, () => ({
      ...{ number: stage.number(), tool: 'charge', given, key: randomUUID() },
    }));
    const answered = Promise.allSettled(calls.map((call) => callTool(first, call)));
    await pause(given.ms / 2);
    await stage.state.fill();
    await answered;
    for (const until = performance.now() + full; performance.now() < until; await pause(1_000))
      await unfinished({ tasks, calls }, next());
    await stage.state.acceptWrites();
    let left = await unfinished({ tasks, calls }, next());
    for (const until = performance.now() + bound; performance.now() < until; await pause(1_000)) {
      if (left.length === 0) break;
      left = await unfinished({ tasks, calls }, next());
    }
    return [
      judged('a handler of a task that has finished does not run again', begunAgain(stage, tasks)),
      judged('a handler of a call with a key that has finished does not run again', begunAgain(stage, calls)),
      judged(`all have an end within ${bound / 1_000} s when the state accepts writes again`, left),
    ];
  },
};

/**
 * @param {Stage} stage
 * @param {import('../wire/stateless.js').To} to
 * @returns {Promise<MadeTask>}
 */
async function madeTask(stage, to) {
  const number = stage.number();
  return { number, taskId: await createTask(to, { number, tool: 'work', given }) };
}

/**
 * Requests all tasks, and makes all calls again. Returns those without an end.
 *
 * @param {{ tasks: readonly MadeTask[], calls: readonly KeyedCall[] }} made
 * @param {import('../wire/stateless.js').To} to
 * @returns {Promise<string[]>}
 */
async function unfinished({ tasks, calls }, to) {
  const ofTasks = tasks.map(async ({ number, taskId }) =>
    hasEnded(await getTask(to, taskId)) ? [] : [`task of number ${number}`],
  );
  const ofCalls = calls.map(async (call) => {
    const { message } = await callTool(to, call);
    // The server asks to try later: no end.
    const isLater = message === undefined || message.error?.code === ErrorCode.overloaded;
    return isLater ? [`call of number ${call.number}`] : [];
  });
  return (await Promise.all([...ofTasks, ...ofCalls])).flat();
}

/**
 * @param {Stage} stage
 * @param {readonly { number: number }[]} made
 */
function begunAgain({ calls }, made) {
  return made.flatMap(({ number }) => {
    const [doneAt] = calls.get(number)?.doneAt ?? [];
    return doneAt === undefined ? [] : begunAfter(number, doneAt, { calls });
  });
}
