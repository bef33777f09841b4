import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { idempotency } from '@tenon/mcp-idempotency/server';
import { createServer } from '@tenon/mcp-server';
import { tasks } from '@tenon/mcp-tasks/server';
import { answerTo } from '../storm/findings/answers.js';
import { ask, integers, runSteps } from '../storm/servers/numbered-tools.js';
import { Moment, taskTools } from './journal.js';

/** @typedef {import('@tenon/mcp-server').Context} Context */

/** The start of the URI of a caller's resource; the name of the caller follows. */
export const callerUri = 'cluster://callers/';

const defaultInfo = { name: 'cluster', version: '1.0.0' };

/** The rate of each caller at all nodes together. */
export const rate = Object.freeze({ perSecond: 40, burst: 80 });

/** Tasks outlive a run. The callers without a principal share one list, by their address. */
const mostTasks = { perCaller: 10_000 };

/**
 * Returns the server of one node. The answer to each call is computed from its number, and names the caller.
 *
 * @param {import('./journal.js').Journal} journal
 * @param {import('@tenon/mcp-server').ServerOptions} options
 * @param {Pick<import('./server-node.js').NodeSettings, 'info' | 'taskLimits'>} [more]
 */
export function clusterServer(journal, options, { info = defaultInfo, taskLimits } = {}) {
  const extensions = [tasks({ pollInterval: 200, limits: { ...mostTasks, ...taskLimits } }), idempotency()];
  const server = createServer(info, { ...options, extensions });
  /**
   * @param {string} name
   * @param {readonly string[]} inputs
   * @param {(given: any, ctx: Context) => Promise<object | void> | object | void} handler
   */
  const tool = (name, inputs, handler) => {
    const task = taskTools.includes(name) ? 'always' : 'never';
    const annotations = { readOnlyHint: name === 'look' };
    server.tool(
      name,
      { input: integers(...inputs), task, annotations },
      async (/** @type {any} */ given, ctx) => {
        const { number } = given;
        journal.write(Moment.begun, name, { number });
        ctx.signal.addEventListener('abort', () => journal.write(Moment.cancelled, name, { number }), {
          once: true,
        });
        const more = await handler(given, ctx);
        journal.write(Moment.done, name, { number });
        return JSON.stringify({ ...answer(number, ctx), ...more });
      },
    );
  };
  tool('quick', ['number'], () => {});
  tool('wait', ['number', 'ms'], async ({ ms }, ctx) => {
    ctx.progress(1);
    await pause(ms, undefined, { signal: ctx.signal });
  });
  tool('steps', ['number', 'steps', 'ms'], runSteps);
  tool('say', ['number'], ({ number }, ctx) => ctx.log('info', { number, step: 1 }));
  tool('touch', ['number'], (_, ctx) => server.resourceUpdated(callerUri + ctx.client?.name));
  for (const name of ['charge', 'work'])
    tool(name, ['number', 'steps', 'ms'], (given, ctx) => charge(given, ctx, { name, journal }));
  // Some programs that handlers call cannot be stopped.
  tool('stubborn', ['number', 'steps', 'ms'], (given, ctx) =>
    charge(given, ctx, { name: 'stubborn', journal, signal: null }),
  );
  tool('review', ['number', 'steps', 'ms'], async (given, ctx) => {
    const done = await charge(given, ctx, { name: 'review', journal });
    return { ...done, said: await ask(given.number, ctx) };
  });
  // A call of `look` runs again when its process has ended.
  for (const name of ['ask', 'look'])
    tool(name, ['number'], async ({ number }, ctx) => ({ said: await ask(number, ctx) }));
  server.resource(`${callerUri}{name}`, { name: 'caller', list: () => [] }, ({ uri, variables }, ctx) => ({
    contents: [{ uri, text: JSON.stringify({ ...identity(ctx), of: variables.name }) }],
  }));
  return server;
}

/**
 * @param {number} number
 * @param {Context} ctx
 */
function answer(number, ctx) {
  return { number, value: answerTo(number), ...identity(ctx) };
}

/** @param {Context} ctx */
function identity(ctx) {
  return { name: ctx.client?.name, auth: ctx.auth?.id };
}

/**
 * Runs each step once, over all attempts of the call. The value of a step is random, so that another run shows.
 *
 * @param {{ number: number, steps: number, ms: number }} given
 * @param {Context} ctx
 * @param {{ name: string, journal: import('./journal.js').Journal, signal?: AbortSignal | null }} tool `signal` ends a pause
 */
async function charge({ number, steps, ms }, ctx, { name, journal, signal = ctx.signal }) {
  const values = [];
  for (let step = 1; step <= steps; step++) {
    const run = () => {
      journal.write(Moment.stepRan, name, { number, step });
      return randomUUID();
    };
    values.push(await ctx.once(`step ${step}`, run));
    journal.write(Moment.stepKept, name, { number, step });
    ctx.progress(step, steps);
    await pause(ms, undefined, signal === null ? {} : { signal });
  }
  return { values };
}
