import { firstWithin } from '../../children/waiting.js';
import { answerTo, numberUri } from '../findings/answers.js';
import { errorText, familyOf } from '../findings/known-errors.js';
import { Handling, Outcome } from '../findings/ledger.js';

/** @typedef {import('@tenon/mcp-client').Client} Client */

/** @typedef {import('./caller.js').Caller} Caller */

/**
 * The messages received for a pending call.
 *
 * @typedef {object} Received
 * @property {number[]} progress
 * @property {number[]} logs
 */

/** @typedef {'quick' | 'steps' | 'ask' | 'read' | 'list' | 'long' | 'large' | 'cancelled' | 'batch'} CallKind */

/** @type {Partial<Record<CallKind, number>>} */
const handling = { read: Handling.repeatable, list: Handling.uncounted };

/** Milliseconds after which a pending call counts as lost. */
const patience = 40_000;

/**
 * Makes one call, or one batch, and checks the outcome.
 *
 * @param {Caller} caller
 * @param {Client} client
 * @param {CallKind} kind
 * @returns {Promise<boolean>} true if the answer is right
 */
export async function oneCall(caller, client, kind) {
  if (kind === 'batch') return batch(caller, client);
  const number = caller.ledger.number(kind, caller.path.uncounted ? Handling.uncounted : handling[kind]);
  const received = { progress: [], logs: [] };
  caller.begins(number, received);
  return judged(caller, { number, kind }, made[kind]({ caller, client, number, received }));
}

/**
 * @param {Caller} caller
 * @param {{ number: number, kind: CallKind }} call
 * @param {Promise<string | undefined>} outcome the problem with its answer
 */
async function judged(caller, { number, kind }, outcome) {
  const { ledger } = caller;
  try {
    const problem = await firstWithin(outcome, patience, 'late');
    if (problem === 'late') {
      ledger.recordFault('no end', `${kind} of ${caller.revision}, number ${number}`);
      return false;
    }
    if (problem === undefined) ledger.isRight(number, kind);
    else {
      ledger.outcomes[number] = Outcome.wrong;
      ledger.recordFault('wrong answer', `${kind} of ${caller.revision}, number ${number}: ${problem}`);
    }
    return problem === undefined;
  } catch (error) {
    ledger.isError(number, familyOf(error) ?? 'untyped', errorText(error));
    caller.recordUnlessTyped(error, kind);
    return false;
  } finally {
    caller.open.delete(number);
  }
}

/**
 * @typedef {object} Making
 * @property {Caller} caller
 * @property {Client} client
 * @property {number} number
 * @property {Received} received
 */

/** @type {Readonly<Record<Exclude<CallKind, 'batch'>, (making: Making) => Promise<string | undefined>>>} */
const made = {
  quick: async ({ client, number }) => problemOf(await client.callTool('quick', { number }), number),

  async steps({ caller, client, number, received }) {
    const { random, ledger } = caller;
    const steps = random.whole(5, 30);
    const release = random.chance(0.2) ? random.whole(1, steps) : 0;
    const given = { number, steps, ms: random.whole(20, 120), release };
    const onProgress = (/** @type {{ progress: number }} */ { progress }) => received.progress.push(progress);
    const problem = problemOf(await client.callTool('steps', given, { onProgress }), number);
    const whole = Array.from({ length: steps }, (_, index) => index + 1).join();
    const about = `${caller.revision}, number ${number}, ${steps} steps, released at ${release}`;
    if (caller.path.lossy) return problem;
    if (received.progress.join() !== whole)
      ledger.recordFault('hole in progress', `${about}: ${received.progress}`);
    if (received.logs.join() !== whole) ledger.recordFault('hole in logs', `${about}: ${received.logs}`);
    return problem;
  },

  async ask({ caller, client, number }) {
    const answer = await client.callTool('ask', { number });
    const { said } = contentOf(answer);
    if (said.startsWith('nothing')) caller.ledger.note('questions whose answer was lost');
    else if (said !== 'right')
      caller.ledger.recordFault('answer of another user', `number ${number}: ${said}`);
    return problemOf(answer, number);
  },

  async read({ client, number }) {
    const { contents } = await client.readResource(numberUri + number);
    return wrong(JSON.parse(String(/** @type {any} */ (contents[0]).text)), number);
  },

  async list({ client }) {
    const names = [];
    for await (const tool of client.tools()) names.push(tool.name);
    return names.sort().join() === 'ask,large,long,quick,steps' ? undefined : `the tools ${names}`;
  },

  long: async ({ caller, client, number }) =>
    problemOf(await client.callTool('long', { number, ms: caller.random.whole(1_000, 5_000) }), number),

  large: async ({ caller, client, number }) =>
    problemOf(await client.callTool('large', { number, size: caller.random.whole(10_000, 300_000) }), number),

  async cancelled({ caller, client, number }) {
    const signal = AbortSignal.timeout(caller.random.whole(1, 400));
    return problemOf(await client.callTool('long', { number, ms: 600 }, { signal }), number);
  },
};

/**
 * @param {Caller} caller
 * @param {Client} client
 */
async function batch(caller, client) {
  const numbers = Array.from({ length: caller.random.whole(2, 5) }, () =>
    caller.ledger.number('batch', caller.path.uncounted ? Handling.uncounted : Handling.once),
  );
  for (const number of numbers) caller.begins(number, { progress: [], logs: [] });
  const calls = numbers.map((number) => {
    const params = { name: 'quick', arguments: { number } };
    return /** @type {const} */ ({ method: 'tools/call', params });
  });
  const results = client.batch(calls);
  const rights = numbers.map((number, index) =>
    judged(caller, { number, kind: 'batch' }, problemOfLater(results[index], number)),
  );
  return (await Promise.all(rights)).every(Boolean);
}

/**
 * @param {Promise<any> | undefined} result
 * @param {number} number
 */
async function problemOfLater(result, number) {
  return problemOf(await result, number);
}

/** @param {any} result */
function contentOf(result) {
  if (result?.isError === true) return { failed: result.content[0]?.text };
  return JSON.parse(result.content[0].text);
}

/**
 * Returns the problem with the answer to the call with a number.
 *
 * @param {any} result
 * @param {number} number
 */
function problemOf(result, number) {
  return wrong(contentOf(result), number);
}

/**
 * @param {any} content
 * @param {number} number
 */
function wrong(content, number) {
  if (content.number === number && content.value === answerTo(number)) return undefined;
  return errorText(JSON.stringify(content)).slice(0, 300);
}
