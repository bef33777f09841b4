import { setTimeout as pause } from 'node:timers/promises';
import { ErrorCode, RemoteError } from '@tenon/mcp-client';
import { errorText } from '../storm/findings/known-errors.js';
import { repeatable } from '../wire/messages.js';

/** Milliseconds for which a call without an answer is repeated: longer than the state is away. */
const repeating = 20_000;
/** Milliseconds between two attempts. */
const breath = 300;

/**
 * A call with a key, and the time of its answer.
 *
 * @typedef {{ number: number, answeredAt: number }} Repeated
 */

/**
 * Makes a call with an idempotency key, cuts its stream in half of the calls, and repeats it until the answer arrives. Then repeats
 * the call that has ended, and compares both answers.
 *
 * @param {import('./scenarios.js').Making} making
 * @returns {Promise<any[]>} the answers
 */
export async function repeatedCall({ caller, connected, number, received }) {
  const { random, ledger } = caller;
  const given = { number, steps: random.whole(3, 6), ms: random.whole(30, 120) };
  const cutAt = random.chance(0.5) ? random.whole(1, given.steps) : undefined;
  let isCut = false;
  const onProgress = (/** @type {{ progress: number }} */ { progress }) => {
    received.progress.push(progress);
    if (progress !== cutAt || isCut) return;
    isCut = true;
    caller.cutStreams().catch((error) => ledger.note(`not cut: ${errorText(error)}`));
  };
  const options = { meta: repeatable(crypto.randomUUID()), onProgress };
  const attempt = () => connected.call('charge', given, options);
  const onRepeat = () => ledger.note('calls with a key that were repeated by their program');
  const first = await answered(attempt, onRepeat);
  ledger.repeated.push({ number, answeredAt: Date.now() });
  return [first, await answered(attempt, onRepeat)];
}

/**
 * Repeats a call until the answer arrives or the time is over.
 *
 * @template Answer
 * @param {() => Promise<Answer>} attempt
 * @param {() => void} onRepeat
 * @returns {Promise<Answer>}
 */
export async function answered(attempt, onRepeat) {
  const until = performance.now() + repeating;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayRepeat(error) || performance.now() > until) throw error;
      onRepeat();
      await pause(breath);
    }
  }
}

/**
 * False for an answer: the server rejects the call for good.
 *
 * @param {unknown} error
 */
function mayRepeat(error) {
  if (!(error instanceof RemoteError)) return true;
  return error.code === ErrorCode.overloaded || error.code === ErrorCode.shuttingDown;
}
