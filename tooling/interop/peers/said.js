/** @typedef {import('./peer.js').Peer} Peer */

/**
 * What a tool says, as the JSON that it is.
 *
 * @param {Peer} peer
 * @param {string} tool
 */
export async function told(peer, tool) {
  return JSON.parse(await said(peer, tool));
}

/**
 * @param {Peer} peer
 * @param {string} tool
 * @returns {Promise<string>}
 */
export async function said(peer, tool) {
  const { content } = await peer.call(tool);
  return content[0].text;
}
