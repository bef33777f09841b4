import { setTimeout as pause } from 'node:timers/promises';
import { judged } from '../run/once-verdicts.js';
import { RawSession } from '../wire/raw-session.js';

const sessions = 20;
/** Milliseconds after which an idle session ends, between two uses of a session, and of all uses. */
const [idle, interval, length] = [6_000, 2_000, 20_000];

/** @type {import('./index.js').Incident} */
export const sessionsInTurn = {
  name: 'sessions-in-turn',
  about: `sessions that end after ${idle / 1_000} s are used every ${interval / 1_000} s, each time at another process`,
  run: async (stage) => {
    const nodes = await stage.nodes(4, { httpLimits: { sessionIdle: idle } });
    const url = (/** @type {number} */ index) => nodes[index % nodes.length]?.url ?? '';
    const began = performance.now();
    const gone = await Promise.all(
      Array.from({ length: sessions }, async (_, index) => {
        const session = await RawSession.open(url(index));
        for (let use = 1; use * interval <= length; use++) {
          await pause(began + use * interval - performance.now());
          const status = await session.ping(url(index + use));
          if (status !== 200)
            return [`session ${index + 1}: status ${status} after ${(use * interval) / 1_000} s`];
        }
        return [];
      }),
    );
    return [judged(`each of ${sessions} sessions in use lives on for ${length / 1_000} s`, gone.flat())];
  },
};
