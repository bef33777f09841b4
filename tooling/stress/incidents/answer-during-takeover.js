import { setTimeout as pause } from 'node:timers/promises';
import { judged, numbered } from '../run/once-verdicts.js';
import { SlowLink } from '../state/slow-link.js';
import { FollowedCall, problemOfResult } from '../wire/followed-call.js';
import { RawSession } from '../wire/raw-session.js';

/** @typedef {import('../nodes/stage.js').Stage} Stage */
/** @typedef {import('../nodes/server-node.js').ServerNode} ServerNode */

/** Rounds, and sessions of a round: few, so that the processes keep the times below. */
const [rounds, sessions] = [8, 10];
/** Milliseconds that each message between the state and the process with the answers takes longer. */
const delay = 15;
/** Milliseconds around the takeover of the round before in which the streams of a round are resumed. */
const around = 100;
/** Milliseconds until a call must have ended. */
const bound = 30_000;
/** The waits of handlers are not a subject here. */
const patient = { serverLimits: { requestTotal: 120_000, handlerTime: 120_000 } };

/** @type {import('./index.js').Incident} */
export const answerDuringTakeover = {
  name: 'answer-during-takeover',
  about:
    'a killed process leaves calls that wait for input; answers and resumptions reach two others at the same moment',
  run: async (stage) => [await answersArrive(stage), await heirIsKilled(stage)],
};

/**
 * The answers reach a process with a slow way to the state, and the resumptions one with a fast way: they find all moments of a
 * takeover.
 *
 * @param {Stage} stage
 */
async function answersArrive(stage) {
  const slow = await stage.node(await slowSettings(stage));
  const fast = await stage.node(patient);
  /** @type {Arrival[]} */
  const all = [];
  // In the first round the answers and the resumptions are sent at the same moment.
  let later = 0;
  for (let round = 0; round < rounds; round++) {
    const first = await stage.node(patient);
    const calls = await waitingCalls(stage, first, { tool: 'ask', next: fast });
    for (const { call } of calls) call.onBroken = () => pause(later + stage.random.between(-around, around));
    await first.kill();
    const arrivals = await Promise.all(calls.map((one) => arrivalOf(one, slow)));
    all.push(...arrivals);
    const slower = arrivals.map(({ answered, resumed }) => answered - resumed).sort((a, b) => a - b);
    later = Math.max(0, later + (slower[Math.floor(slower.length / 2)] ?? 0) - delay);
  }
  const accepted = all.filter(({ status }) => status === 202);
  return judged(
    `each accepted answer leads to its result (${accepted.length} of ${all.length} accepted)`,
    numbered(accepted, ({ problem }) => problem),
  );
}

/**
 * The answer to an input request, and the resumption of its stream.
 *
 * @typedef {object} Arrival
 * @property {number} number of the call
 * @property {number} status of the answer
 * @property {number} answered milliseconds until the answer had a response
 * @property {number} resumed milliseconds until the other process looked for the call
 * @property {string | undefined} problem with the result of the call
 */

/**
 * @param {Awaited<ReturnType<typeof waitingCalls>>[number]} waiting
 * @param {ServerNode} slow
 * @returns {Promise<Arrival>}
 */
async function arrivalOf({ call, session, id, ended }, slow) {
  const from = performance.now();
  let answered = 0;
  const sent = session.answer(slow.url, id, call.number).then((status) => {
    answered = performance.now() - from;
    return status;
  });
  const [status, end] = await Promise.all([sent, ended]);
  const resumed = (call.resumedAt ?? from) - from;
  return { number: call.number, status, answered, resumed, problem: problemOfResult(end, call.number) };
}

/**
 * The process that takes the calls over is killed as well, as soon as it has accepted an answer. A tool that only reads runs again.
 *
 * @param {Stage} stage
 */
async function heirIsKilled(stage) {
  const slow = await stage.node(await slowSettings(stage));
  const [first, fast] = await Promise.all([stage.node(patient), stage.node(patient)]);
  const calls = await waitingCalls(stage, first, { tool: 'look', next: fast });
  await first.kill();
  let accepted = 0;
  const ends = await Promise.all(
    calls.map(async ({ call, session, id, ended }) => {
      const status = await session.answer(slow.url, id, call.number).catch(() => undefined);
      // No answer after this one leaves the process.
      if (status === 202 && ++accepted === 1) slow.abandon();
      // Its client sends an answer again if it had no response, to another process.
      if (status !== 202) await session.answer(fast.url, id, call.number);
      return { number: call.number, problem: problemOfResult(await ended, call.number) };
    }),
  );
  return judged(
    `the calls that a killed process had taken over end with their results (${accepted} accepted before the kill)`,
    numbered(ends, ({ problem }) => problem),
  );
}

/**
 * Returns the settings of a process with a slow way to the state.
 *
 * @param {Stage} stage
 */
async function slowSettings(stage) {
  const { kind, url } = stage.state;
  const link = new SlowLink(url, delay);
  stage.later(() => link.close());
  return { ...patient, state: { kind, url: await link.listen() } };
}

/**
 * Opens sessions at a process, and calls a tool in each that waits for its user.
 *
 * @param {Stage} stage
 * @param {ServerNode} node
 * @param {{ tool: string, next: ServerNode }} given the streams are resumed at the next process
 */
function waitingCalls(stage, node, { tool, next }) {
  return Promise.all(
    Array.from({ length: sessions }, async () => {
      const session = await RawSession.open(node.url);
      let isFirst = true;
      const call = new FollowedCall(session, { number: stage.number(), tool }, () => {
        const { url } = isFirst ? node : next;
        isFirst = false;
        return url;
      });
      const ended = call.run(bound);
      return { session, call, ended, id: await call.requested };
    }),
  );
}
