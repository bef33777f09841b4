import { setTimeout as pause } from 'node:timers/promises';
import { createServer } from '@tenon/mcp-server';
import { answerTo, numberUri } from '../findings/answers.js';
import { ask, integers, runSteps } from './numbered-tools.js';

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
