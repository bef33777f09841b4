import { setTimeout as pause } from 'node:timers/promises';
import { judged, numbered, stepsRunAgain } from '../run/once-verdicts.js';
import { createTask, getTask, hasEnded } from '../wire/stateless.js';

const tasks = 6;
const steps = 8;
/** Milliseconds after each step. */
const ms = 500;
/** Milliseconds until another process must have ended the tasks: 15 s for their leases, and the steps. */
const bound = 60_000;

/** @type {import('./index.js').Incident} */
export const frozenTask = {
  name: 'frozen-task',
  about: 'a process is frozen while it runs tasks, and wakes up after others have ended them',
  run: async (stage) => {
    const [first, ...others] = await stage.nodes(3);
    if (first === undefined) throw new Error('No process was started.');
    const made = await Promise.all(
      Array.from({ length: tasks }, async () => {
        const number = stage.number();
        const call = { number, tool: 'stubborn', given: { steps, ms } };
        return { number, taskId: await createTask({ url: first.url }, call) };
      }),
    );
    await pause(stage.random.between(2, 4) * ms);
    const from = Date.now();
    first.freeze();
    let turn = 0;
    const problems = await Promise.all(
      made.map(async ({ number, taskId }) => {
        for (const until = performance.now() + bound; performance.now() < until; await pause(500)) {
          const url = others[turn++ % others.length]?.url ?? '';
          if (hasEnded(await getTask({ url }, taskId))) return [];
        }
        return [`number ${number}: no end within ${bound / 1_000} s`];
      }),
    );
    first.thaw();
    const frozen = { kind: /** @type {const} */ ('kill'), node: first.number, from, to: Date.now() };
    // Long enough for all steps of a process that goes on.
    await pause((steps + 2) * ms);
    const { calls } = stage;
    const handled = made.flatMap(({ number }) => {
      const call = calls.get(number);
      return call === undefined ? [] : [{ number, call }];
    });
    return [
      judged('another process ends the tasks', problems.flat()),
      judged(
        `each step of ${tasks} tasks runs once`,
        numbered(handled, ({ call }) => stepsRunAgain(call, [frozen])),
      ),
      judged(
        'the end of each handler is reached once',
        numbered(handled, ({ call: { done } }) =>
          done.length === 1 ? undefined : `at nodes ${done.join(' and ') || 'none'}`,
        ),
      ),
    ];
  },
};
