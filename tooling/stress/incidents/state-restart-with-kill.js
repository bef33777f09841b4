import { setTimeout as pause } from 'node:timers/promises';
import { judged, numbered } from '../run/once-verdicts.js';
import { FollowedCall, problemOfResult } from '../wire/followed-call.js';
import { RawSession } from '../wire/raw-session.js';

/** @typedef {import('../nodes/stage.js').Stage} Stage */

const sessions = 24;
/** Milliseconds between the restart of the state and the end of a process, each time. */
const pauses = [200, 2_500];
/** Milliseconds until a call must have ended, after the kill. */
const bound = 30_000;
/** Steps of a call that is under way all the time. */
const long = { steps: 40, ms: 250 };
const patient = { serverLimits: { requestTotal: 120_000, handlerTime: 120_000 } };

/** @type {import('./index.js').Incident} */
export const stateRestartWithKill = {
  name: 'state-restart-with-kill',
  about: 'the state restarts, and within 5 s a process with open streams is killed',
  run: async (stage) => {
    const rounds = [];
    for (const ms of pauses) rounds.push(await round(stage, ms));
    const calls = rounds.flat();
    return [
      judged(
        `each of ${calls.length} calls ends within ${bound / 1_000} s`,
        numbered(calls, ({ end }) => end.problem),
      ),
      judged(
        'a call that waits for its user ends with its result',
        numbered(calls, ({ tool, number, end }) =>
          tool === 'ask' ? problemOfResult(end, number) : undefined,
        ),
      ),
      judged(
        'no request is answered with 500',
        calls.flatMap(({ number, end }) => (end.refusals.includes(500) ? [`number ${number}`] : [])),
      ),
    ];
  },
};

/**
 * @param {Stage} stage
 * @param {number} ms between the restart and the kill
 */
async function round(stage, ms) {
  const [first, ...others] = await stage.nodes(3, patient);
  if (first === undefined) throw new Error('No process was started.');
  let turn = 0;
  const next = () => others[turn++ % others.length]?.url ?? first.url;
  const calls = await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      const session = await RawSession.open(first.url);
      const tool = index % 3 === 0 ? 'ask' : 'steps';
      let isFirst = true;
      const call = new FollowedCall(
        session,
        { number: stage.number(), tool, given: tool === 'ask' ? {} : long },
        () => {
          const url = isFirst ? first.url : next();
          isFirst = false;
          return url;
        },
      );
      const ended = call.run(bound + ms + 10_000);
      return {
        session,
        call,
        tool,
        ended,
        id: tool === 'ask' ? await call.requested : await call.began.then(() => ''),
      };
    }),
  );
  await stage.state.restart();
  await pause(ms);
  await first.kill();
  const ends = await Promise.all(
    calls.map(async ({ session, call, tool, ended, id }) => {
      if (tool === 'ask') await answer(session, { next, id, number: call.number });
      return { number: call.number, tool, end: await ended };
    }),
  );
  for (const node of others) await node.kill();
  return ends;
}

/**
 * Sends an answer until it is accepted.
 *
 * @param {RawSession} session
 * @param {{ next: () => string, id: string, number: number }} answer
 */
async function answer(session, { next, id, number }) {
  for (const until = performance.now() + bound; performance.now() < until; await pause(500)) {
    if ((await session.answer(next(), id, number)) === 202) return;
  }
}
