import { setTimeout as pause } from 'node:timers/promises';
import { judged } from '../run/once-verdicts.js';
import { RawSession } from '../wire/raw-session.js';

/** @typedef {import('../nodes/server-node.js').ServerNode} ServerNode */

/** Milliseconds until a client that opens a session must have an answer. */
const soon = 10_000;
/** Milliseconds in which `/readyz` must follow the state. */
const noticed = 15_000;

/** @type {import('./index.js').Incident} */
export const startWithoutState = {
  name: 'start-without-state',
  about: 'a process starts while the state is away, and the state goes away from a process that runs',
  run: async (stage) => {
    const { state } = stage;
    await state.stop();
    const node = await stage.node();
    const verdicts = [
      judged('a process that starts without the state is not ready', await readyDuring(node, 3_000)),
      judged(`a client that opens a session then has an error within ${soon / 1_000} s`, await refused(node)),
    ];
    await state.start();
    verdicts.push(judged('the process serves when the state is there', await serves(node)));
    await state.stop();
    verdicts.push(judged('a process is not ready while the state is away', await unready(node)));
    await state.start();
    verdicts.push(judged('the process serves when the state is there again', await serves(node)));
    await state.freeze();
    verdicts.push(
      judged('a process is not ready while the state does not answer', await unready(node)),
      judged(`a client that opens a session then has an error within ${soon / 1_000} s`, await refused(node)),
    );
    await state.thaw();
    verdicts.push(judged('the process serves when the state answers again', await serves(node)));
    return verdicts;
  },
};

/**
 * Returns the problem if a process says that it is ready.
 *
 * @param {ServerNode} node
 * @param {number} ms
 */
async function readyDuring(node, ms) {
  for (const until = performance.now() + ms; performance.now() < until; await pause(100)) {
    if ((await node.readiness()) === 200) return ['/readyz answers 200'];
  }
  return [];
}

/** @param {ServerNode} node */
async function unready(node) {
  for (const until = performance.now() + noticed; performance.now() < until; await pause(100)) {
    if ((await node.readiness()) !== 200) return [];
  }
  return [`/readyz still answers 200 after ${noticed / 1_000} s`];
}

/** @param {ServerNode} node */
async function refused(node) {
  try {
    const { status, messages } = await RawSession.initialize(node.url, {}, AbortSignal.timeout(soon));
    const [answer] = messages;
    if (status === 503 && typeof answer?.error?.message === 'string') return [];
    return [`status ${status}: ${JSON.stringify(answer)}`];
  } catch (error) {
    return [`no answer within ${soon / 1_000} s: ${error instanceof Error ? error.message : error}`];
  }
}

/** @param {ServerNode} node */
async function serves(node) {
  let last = '/readyz does not answer 200';
  for (const until = performance.now() + noticed; performance.now() < until; await pause(200)) {
    if ((await node.readiness()) !== 200) continue;
    try {
      const signal = AbortSignal.timeout(soon);
      const { status } = await RawSession.initialize(node.url, {}, signal);
      if (status === 200) return [];
      last = `/readyz answers 200, and initialize ${status}`;
    } catch {
      last = `/readyz answers 200, and initialize nothing within ${soon / 1_000} s`;
    }
  }
  return [last];
}
