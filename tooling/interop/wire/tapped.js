import { Application } from '../peers/application.js';
import { WireTap } from './tap.js';

/** @typedef {{ tap: WireTap, peer: import('../peers/peer.js').Peer, application: Application }} Tapped */

/**
 * Calls a function with a new client, through a proxy that records and can break its connections.
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
 * Returns the POST of a tool call.
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
