import { setTimeout as pause } from 'node:timers/promises';
import { repeatable, request, taskIdIn, toolCall, withTasks } from '../wire/messages.js';

/** @typedef {import('./http-attacks.js').Attack} Attack */
/** @typedef {import('./stage.js').Stage} Stage */

/** Milliseconds in which a server would run a handler again: longer than it tries to write the end of a task. */
const untilAgain = 40_000;

/** Attacks on the memory of a server with tasks and calls that may be repeated. @type {readonly Attack[]} */
export const stateAttacks = [
  {
    name: 'large-tasks',
    about: '800 tasks of one caller with results of 1 MB',
    state: {},
    run: async (stage) => {
      await stage.each(800, (id) => stage.postAlone(toolCall(id, 'large-task'), withTasks));
      await stage.hold();
    },
  },
  {
    name: 'repeated-calls',
    about: '6,000 calls of one caller that may be repeated, with results of 60 KB that are kept',
    state: {},
    run: async (stage) => {
      await stage.each(6_000, (id) => stage.postAlone(toolCall(id, 'kept'), repeatable(crypto.randomUUID())));
      await stage.hold();
    },
  },
  {
    name: 'task-slots',
    about: '1,200 tasks of one caller that never end',
    state: {},
    run: async (stage) => {
      await stage.each(1_200, (id) => stage.postAlone(toolCall(id, 'waiting-task'), withTasks));
      await stage.hold();
    },
  },
  {
    name: 'full-state',
    about: 'a task with a result of 1 MB that a state of 4 MiB cannot keep, requested again and again',
    state: { bytes: 4 * 2 ** 20 },
    once: true,
    run: async (stage) => {
      const call = toolCall(1, 'large-task-later', { number: 1 });
      const { text } = await stage.postAlone(call, withTasks);
      const taskId = taskIdIn(text);
      if (taskId === undefined) throw new Error(`No task was made: ${text.slice(0, 200)}`);
      await fill(stage);
      for (const until = performance.now() + untilAgain; performance.now() < until; await pause(500))
        await stage.postAlone(request(1, 'tasks/get', { taskId }), withTasks);
    },
  },
];

/**
 * Fills what the state holds for the attacker.
 *
 * @param {Stage} stage
 */
async function fill(stage) {
  await stage.each(100, (id) => stage.postAlone(toolCall(id, 'kept'), repeatable(crypto.randomUUID())));
}
