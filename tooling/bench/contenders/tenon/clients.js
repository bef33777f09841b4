import { connect } from '@tenon/mcp-client';
import { clientInfo, wires, workloads } from '../../matrix/wires.js';

/** @typedef {import('../../matrix/wires.js').Lifecycle} Lifecycle */

/**
 * @param {Lifecycle} lifecycle
 * @param {string} url
 */
export function httpClient(lifecycle, url) {
  return clientOf(lifecycle, url);
}

/**
 * @param {Lifecycle} lifecycle
 * @param {{ command: string, args: string[] }} child
 */
export function stdioClient(lifecycle, child) {
  return clientOf(lifecycle, child);
}

/**
 * @param {Lifecycle} lifecycle
 * @param {string | { command: string, args: string[] }} target
 * @returns {Promise<import('../base/raw-caller.js').Caller>}
 */
async function clientOf(lifecycle, target) {
  const client = await connect(target, { info: clientInfo, revision: wires[lifecycle].revision });
  const { name, arguments: given } = /** @type {any} */ (workloads.call.params(0));
  return { call: () => client.callTool(name, given), close: () => client.close() };
}
