/** @typedef {import('./peer.js').Peer} Peer */

/**
 * Calls a tool, and returns its text parsed as JSON.
 *
 * @param {Peer} peer
 * @param {string} tool
 */
export async function toolJson(peer, tool) {
  return JSON.parse(await toolText(peer, tool));
}

/**
 * @param {Peer} peer
 * @param {string} tool
 * @returns {Promise<string>}
 */
export async function toolText(peer, tool) {
  const { content } = await peer.call(tool);
  return content[0].text;
}
