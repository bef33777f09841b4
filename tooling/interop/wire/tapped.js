import { Application } from '../peers/application.js';
import { WireTap } from './tap.js';

/** @typedef {{ tap: WireTap, peer: import('../peers/peer.js').Peer, application: Application }} Tapped */

/**
 * Does something with a client of its own whose connections can be seen and broken.
 *
 * @template T
 * @param {import('../run/cells.js').Scene} scene
 * @param {(tapped: Tapped) => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function tapped({ reach, url = '' }, act) {
  const tap = new WireTap(url);
  const application = new Application();
  const peer = await reach(application, await tap.open());
  try {
    return await act({ tap, peer, application });
  } finally {
    await peer.close().catch(() => undefined);
    await tap.close();
  }
}

/**
 * The POST that carries a call of a tool.
 *
 * @param {string | undefined} tool
 * @returns {(passage: import('./tap.js').Passage) => boolean}
 */
export function callOf(tool) {
  return ({ message }) => message?.method === 'tools/call' && message.params.name === tool;
}

/** @param {import('./tap.js').Passage} passage */
export function isStream({ answered }) {
  return answered['content-type']?.startsWith('text/event-stream') ?? false;
}
