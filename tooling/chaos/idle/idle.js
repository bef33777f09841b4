import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../children/child.js';

/** @typedef {import('../children/holdings.js').Holdings} Holdings */
/** @typedef {import('../storm/verdicts.js').Verdict} Verdict */

/**
 * What the server process held, and what its peers found.
 *
 * @typedef {object} Findings
 * @property {Record<'nobody' | 'sessions' | 'streams', Holdings>} held with nobody there, with the sessions alone, and
 *   with the streams as well
 * @property {{ asked: number, answered: number }} pings
 * @property {{ heard: number, twice: number, broken: number }} changes
 * @property {string[]} complaints
 * @property {boolean} ended both processes ended by themselves
 */

/** Milliseconds a change has to reach everybody. */
const spreading = 10_000;

/**
 * Has one process hold idle sessions and listen streams that another process opened.
 *
 * @param {{ sessions: number, streams: number, sample: number, onProgress: (line: string) => void }} options
 * @returns {Promise<Findings>}
 */
export async function idle({ sessions, streams, sample, onProgress }) {
  const server = new Child('server', new URL('./server-process.js', import.meta.url));
  const peers = new Child('peers', new URL('./peers-process.js', import.meta.url));
  try {
    const { url } = await server.call('begin');
    await peers.call('begin', { url });
    onProgress('warming up');
    await warmUp(server, peers);
    const nobody = await settled(server, 0);
    onProgress(`opening ${sessions} sessions`);
    await peers.call('openSessions', { count: sessions });
    const withSessions = await settled(server, 0);
    onProgress(`opening ${streams} listen streams`);
    await peers.call('listen', { count: streams });
    const withStreams = await settled(server, streams);
    onProgress('asking whether they are all there');
    const pings = await peers.call('pingSessions', { sample });
    const changes = await told(server, peers, streams);
    await peers.call('endStreams');
    const complaints = [await server.call('close'), await peers.call('found')].flatMap(Object.keys);
    const ends = await Promise.all([server.release(5_000), peers.release(5_000)]);
    return {
      held: { nobody, sessions: withSessions, streams: withStreams },
      ...{ pings, changes, complaints },
      ended: ends.every((end) => end?.code === 0),
    };
  } finally {
    server.kill();
    peers.kill();
  }
}

/**
 * Has everything done once that will be measured, and undone: what code itself takes is no cost of a session.
 *
 * @param {Child} server
 * @param {Child} peers
 */
async function warmUp(server, peers) {
  for (let round = 0; round < 3; round++) {
    await peers.call('openSessions', { count: 500 });
    await peers.call('listen', { count: 100 });
    await peers.call('pingSessions', { sample: 500 });
    await server.call('change');
    await peers.call('endStreams');
    await peers.call('endSessions');
  }
}

/**
 * What the server holds once only so many sockets are left.
 *
 * @param {Child} server
 * @param {number} sockets
 * @returns {Promise<Holdings>}
 */
async function settled(server, sockets) {
  for (const until = performance.now() + 10_000; ; ) {
    const held = await server.call('holdings');
    if (held.sockets <= sockets || performance.now() > until) return held;
    await pause(100);
  }
}

/**
 * @param {Child} server
 * @param {Child} peers
 * @param {number} streams
 */
async function told(server, peers, streams) {
  await server.call('change');
  for (const until = performance.now() + spreading; ; ) {
    const { changes, broken } = await peers.call('heard');
    const heard = changes.filter((/** @type {number} */ count) => count > 0).length;
    if (heard === streams || performance.now() > until) {
      return { heard, broken, twice: changes.filter((/** @type {number} */ count) => count > 1).length };
    }
    await pause(50);
  }
}
