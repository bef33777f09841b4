import { Child } from '../children/child.js';
import { lookUntil } from '../children/waiting.js';

/** @typedef {import('../children/holdings.js').Holdings} Holdings */
/** @typedef {import('../storm/findings/verdicts.js').Verdict} Verdict */

/**
 * The resources of the server process, and the results of its peers.
 *
 * @typedef {object} Findings
 * @property {Record<'empty' | 'sessions' | 'streams', Holdings>} held `empty` without peers, then with the sessions, then with
 *   the streams as well
 * @property {{ asked: number, answered: number }} pings
 * @property {{ received: number, twice: number, broken: number }} changes
 * @property {string[]} complaints
 * @property {boolean} ended true if both processes ended by themselves
 */

/** Milliseconds until a change must reach every stream. */
const spreading = 10_000;

/**
 * Measures one process with idle sessions and listen streams, which another process opens.
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
    const empty = await settled(server, 0);
    onProgress(`opening ${sessions} sessions`);
    await peers.call('openSessions', { count: sessions });
    const withSessions = await settled(server, 0);
    onProgress(`opening ${streams} listen streams`);
    await peers.call('listen', { count: streams });
    const withStreams = await settled(server, streams);
    onProgress('asking whether they are all there');
    const pings = await peers.call('pingSessions', { sample });
    const changes = await notifyAll(server, peers, streams);
    await peers.call('endStreams');
    const complaints = [await server.call('close'), await peers.call('found')].flatMap(Object.keys);
    const ends = await Promise.all([server.release(5_000), peers.release(5_000)]);
    return {
      held: { empty, sessions: withSessions, streams: withStreams },
      ...{ pings, changes, complaints },
      ended: ends.every((end) => end?.code === 0),
    };
  } finally {
    server.kill();
    peers.kill();
  }
}

/**
 * Opens and closes one of everything first, so that loaded code does not count as a cost of sessions.
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
 * Waits until only this many sockets are left, then returns the resources of the server.
 *
 * @param {Child} server
 * @param {number} sockets
 * @returns {Promise<Holdings>}
 */
function settled(server, sockets) {
  const look = () => server.call('holdings');
  return lookUntil(look, (held) => held.sockets <= sockets, { ms: 10_000, every: 100 });
}

/**
 * @param {Child} server
 * @param {Child} peers
 * @param {number} streams
 */
async function notifyAll(server, peers, streams) {
  await server.call('change');
  const look = async () => {
    const { changes, broken } = await peers.call('received');
    const more = (/** @type {number} */ least) =>
      changes.filter((/** @type {number} */ count) => count >= least).length;
    return { received: more(1), twice: more(2), broken };
  };
  return lookUntil(look, ({ received }) => received === streams, { ms: spreading, every: 50 });
}
