import { setTimeout as pause } from 'node:timers/promises';
import { isSuspension } from '@tenon/mcp-server';
import { userAnswerTo } from '../findings/answers.js';

/** @typedef {import('@tenon/mcp-server').Context} Context */

/**
 * Returns a schema of whole numbers, all of them required.
 *
 * @param {readonly string[]} names
 */
export function integers(...names) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }]));
  return /** @type {const} */ ({ type: 'object', properties, required: names });
}

/**
 * Sends progress and a log message at each step; may release its stream half-way.
 *
 * @param {{ number: number, steps: number, ms: number, release?: number }} given
 * @param {Context} ctx
 */
export async function runSteps({ number, steps, ms, release }, ctx) {
  for (let step = 1; step <= steps; step++) {
    await pause(ms, undefined, { signal: ctx.signal });
    ctx.progress(step, steps);
    ctx.log('info', { number, step });
    if (step === release) ctx.releaseStream(200);
  }
}

/**
 * Requests the answer of the user. Returns `right`, the wrong answer, or `nothing` with the reason that there is none.
 *
 * @param {number} number of the call
 * @param {Context} ctx
 */
export async function ask(number, ctx) {
  const message = `Call ${number}?`;
  try {
    const said = ctx.can('elicit') ? await elicit(message, ctx) : await sample(message, ctx);
    return said === userAnswerTo(number) ? 'right' : `wrong ${said}`;
  } catch (error) {
    if (isSuspension(error)) throw error;
    ctx.signal.throwIfAborted();
    return `nothing: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * @param {string} message
 * @param {Context} ctx
 */
async function elicit(message, ctx) {
  const answer = await ctx.elicit('number', { message, schema: integers('value') });
  return answer.action === 'accept' ? Number(/** @type {any} */ (answer.content).value) : Number.NaN;
}

/**
 * @param {string} message
 * @param {Context} ctx
 */
async function sample(message, ctx) {
  const messages = [
    { role: /** @type {const} */ ('user'), content: { type: /** @type {const} */ ('text'), text: message } },
  ];
  const { content } = await ctx.sample('number', { messages, maxTokens: 10 });
  return Number(/** @type {any} */ (Array.isArray(content) ? content[0] : content).text);
}
