import { setTimeout as pause } from 'node:timers/promises';
import { answerTo, numberUri } from './answers.js';
import { familyOf, told } from './known-errors.js';
import { Handling, Outcome } from './ledger.js';

/** @typedef {import('@tenon/mcp-client').Client} Client */

/**
 * Who makes calls.
 *
 * @typedef {object} Caller
 * @property {import('./ledger.js').Ledger} ledger
 * @property {import('../faults/random.js').Random} random
 * @property {string | undefined} revision
 * @property {Map<number, Heard>} open numbers of calls that wait for their end, and what was heard of them
 * @property {boolean} [lossy] its connections lose single messages: what it hears has holes
 * @property {boolean} [uncounted] nobody here knows how often its calls are handled
 * @property {(number: number, heard: Heard) => void} begins
 * @property {(error: unknown, what: string) => void} blameUnlessTyped
 */

/**
 * What was heard of a call while it ran.
 *
 * @typedef {object} Heard
 * @property {number[]} progress
 * @property {number[]} logs
 */

/** Kinds of calls, and how often each comes. */
export const callKinds = Object.freeze({
  quick: 30,
  steps: 20,
  ask: 14,
  read: 10,
  list: 4,
  long: 6,
  large: 8,
  cancelled: 4,
  batch: 4,
});

/** @typedef {keyof typeof callKinds} CallKind */

/** @type {Partial<Record<CallKind, number>>} */
const handling = { read: Handling.repeatable, list: Handling.uncounted };

/** Milliseconds after which a call that has not ended never will. */
const patience = 40_000;

/**
 * Makes one call, or one batch, and judges how it ends.
 *
 * @param {Caller} caller
 * @param {Client} client
 * @param {CallKind} kind
 * @returns {Promise<boolean>} true for the right answer
 */
export async function oneCall(caller, client, kind) {
  if (kind === 'batch') return batch(caller, client);
  const number = caller.ledger.number(kind, caller.uncounted ? Handling.uncounted : handling[kind]);
  const heard = { progress: [], logs: [] };
  caller.begins(number, heard);
  return judged(caller, { number, kind }, made[kind]({ caller, client, number, heard }));
}

/**
 * @param {Caller} caller
 * @param {{ number: number, kind: CallKind }} call
 * @param {Promise<string | undefined>} outcome what is wrong with its answer
 */
async function judged(caller, { number, kind }, outcome) {
  const { ledger } = caller;
  const limit = new AbortController();
  const late = pause(patience, 'late', { signal: limit.signal }).catch(() => 'in time');
  try {
    const flaw = await Promise.race([outcome, late]);
    if (flaw === 'late') {
      ledger.blame('no end', `${kind} of ${caller.revision}, number ${number}`);
      return false;
    }
    if (flaw === undefined) ledger.isRight(number, kind);
    else {
      ledger.outcomes[number] = Outcome.wrong;
      ledger.blame('wrong answer', `${kind} of ${caller.revision}, number ${number}: ${flaw}`);
    }
    return flaw === undefined;
  } catch (error) {
    ledger.isError(number, familyOf(error) ?? 'untyped', told(error));
    caller.blameUnlessTyped(error, kind);
    return false;
  } finally {
    limit.abort();
    caller.open.delete(number);
  }
}

/**
 * @typedef {object} Making
 * @property {Caller} caller
 * @property {Client} client
 * @property {number} number
 * @property {Heard} heard
 */

/** @type {Readonly<Record<Exclude<CallKind, 'batch'>, (making: Making) => Promise<string | undefined>>>} */
const made = {
  quick: async ({ client, number }) => flawOf(await client.callTool('quick', { number }), number),

  async steps({ caller, client, number, heard }) {
    const { random, ledger } = caller;
    const steps = random.whole(5, 30);
    const release = random.chance(0.2) ? random.whole(1, steps) : 0;
    const given = { number, steps, ms: random.whole(20, 120), release };
    const onProgress = (/** @type {{ progress: number }} */ { progress }) => heard.progress.push(progress);
    const flaw = flawOf(await client.callTool('steps', given, { onProgress }), number);
    const whole = Array.from({ length: steps }, (_, index) => index + 1).join();
    const about = `${caller.revision}, number ${number}, ${steps} steps, released at ${release}`;
    if (caller.lossy) return flaw;
    if (heard.progress.join() !== whole) ledger.blame('hole in progress', `${about}: ${heard.progress}`);
    if (heard.logs.join() !== whole) ledger.blame('hole in logs', `${about}: ${heard.logs}`);
    return flaw;
  },

  async ask({ caller, client, number }) {
    const answer = await client.callTool('ask', { number });
    const { said } = contentOf(answer);
    if (said === 'nothing') caller.ledger.note('questions whose answer was lost');
    else if (said !== 'right') caller.ledger.blame('answer of another user', `number ${number}: ${said}`);
    return flawOf(answer, number);
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
    flawOf(await client.callTool('long', { number, ms: caller.random.whole(1_000, 5_000) }), number),

  large: async ({ caller, client, number }) =>
    flawOf(await client.callTool('large', { number, size: caller.random.whole(10_000, 300_000) }), number),

  async cancelled({ caller, client, number }) {
    const signal = AbortSignal.timeout(caller.random.whole(1, 400));
    return flawOf(await client.callTool('long', { number, ms: 600 }, { signal }), number);
  },
};

/**
 * @param {Caller} caller
 * @param {Client} client
 */
async function batch(caller, client) {
  const numbers = Array.from({ length: caller.random.whole(2, 5) }, () =>
    caller.ledger.number('batch', caller.uncounted ? Handling.uncounted : Handling.once),
  );
  for (const number of numbers) caller.begins(number, { progress: [], logs: [] });
  const calls = numbers.map((number) => {
    const params = { name: 'quick', arguments: { number } };
    return /** @type {const} */ ({ method: 'tools/call', params });
  });
  const results = client.batch(calls);
  const rights = numbers.map((number, index) =>
    judged(caller, { number, kind: 'batch' }, flawOfLater(results[index], number)),
  );
  return (await Promise.all(rights)).every(Boolean);
}

/**
 * @param {Promise<any> | undefined} result
 * @param {number} number
 */
async function flawOfLater(result, number) {
  return flawOf(await result, number);
}

/** @param {any} result */
function contentOf(result) {
  if (result?.isError === true) return { failed: result.content[0]?.text };
  return JSON.parse(result.content[0].text);
}

/**
 * What is wrong with the answer to the call of a number.
 *
 * @param {any} result
 * @param {number} number
 */
function flawOf(result, number) {
  return wrong(contentOf(result), number);
}

/**
 * @param {any} content
 * @param {number} number
 */
function wrong(content, number) {
  if (content.number === number && content.value === answerTo(number)) return undefined;
  return told(JSON.stringify(content)).slice(0, 300);
}
