import { setTimeout as pause } from 'node:timers/promises';
import { createServer, isSuspension } from '@tenon/mcp-server';
import { answerTo, numberUri, userAnswerTo } from './answers.js';

/** @typedef {import('@tenon/mcp-server').Context} Context */

/** @param {readonly string[]} names */
function integers(...names) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }]));
  return /** @type {const} */ ({ type: 'object', properties, required: names });
}

const output = integers('number', 'value');

/**
 * Returns the server of the storm: every call has a number, and its answer is computed from the number.
 *
 * @param {Uint8Array} handled the server counts here how often it answered each number
 * @param {import('@tenon/mcp-server').ServerOptions} options
 */
export function stormServer(handled, options) {
  const server = createServer({ name: 'storm', version: '1.0.0' }, { rates: false, ...options });
  const answer = (/** @type {number} */ number) => {
    handled[number] = Math.min(255, (handled[number] ?? 0) + 1);
    return { number, value: answerTo(number) };
  };
  server.tool('quick', { input: integers('number'), output }, (/** @type {any} */ { number }) =>
    answer(number),
  );
  server.tool('long', { input: integers('number', 'ms') }, async (/** @type {any} */ { number, ms }, ctx) => {
    await pause(ms, undefined, { signal: ctx.signal });
    return text(answer(number));
  });
  server.tool('large', { input: integers('number', 'size') }, (/** @type {any} */ { number, size }) =>
    text({ ...answer(number), filling: 'x'.repeat(size) }),
  );
  server.tool('steps', { input: integers('number', 'steps', 'ms', 'release') }, async (given, ctx) => {
    await runSteps(/** @type {any} */ (given), ctx);
    return text(answer(Number(given.number)));
  });
  server.tool('ask', { input: integers('number') }, async (/** @type {any} */ { number }, ctx) => {
    const said = await ask(number, ctx);
    return text({ ...answer(number), said });
  });
  server.resource(`${numberUri}{number}`, { name: 'number', list: () => [] }, ({ uri, variables }) => ({
    contents: [{ uri, text: JSON.stringify(answer(Number(variables.number))) }],
  }));
  return server;
}

/** @param {object} value */
function text(value) {
  return JSON.stringify(value);
}

/**
 * Sends progress and logs at each step; may release its stream half-way.
 *
 * @param {{ number: number, steps: number, ms: number, release: number }} given
 * @param {Context} ctx
 */
async function runSteps({ number, steps, ms, release }, ctx) {
  for (let step = 1; step <= steps; step++) {
    await pause(ms, undefined, { signal: ctx.signal });
    ctx.progress(step, steps);
    ctx.log('info', { number, step });
    if (step === release) ctx.releaseStream(200);
  }
}

/**
 * Returns the user's answer: `wrong` if another user gave it, `nothing` without an answer.
 *
 * @param {number} number
 * @param {Context} ctx
 */
async function ask(number, ctx) {
  const message = `Call ${number}?`;
  try {
    const said = ctx.can('elicit') ? await fillIn(message, ctx) : await sample(message, ctx);
    return said === userAnswerTo(number) ? 'right' : `wrong ${said}`;
  } catch (error) {
    if (isSuspension(error)) throw error;
    ctx.signal.throwIfAborted();
    return 'nothing';
  }
}

/**
 * @param {string} message
 * @param {Context} ctx
 */
async function fillIn(message, ctx) {
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
