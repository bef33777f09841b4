// Tenon, calls through a host: one server, a policy that allows, no audit log.
import { createHost } from '@tenon/mcp-host';
import { clientInfo, wires, workloads } from '../matrix/wires.js';

/** @typedef {import('../matrix/wires.js').Lifecycle} Lifecycle */

/**
 * @param {Lifecycle} lifecycle
 * @param {string} url
 */
export function httpClient(lifecycle, url) {
  return hostOf(lifecycle, url);
}

/**
 * @param {Lifecycle} lifecycle
 * @param {{ command: string, args: string[] }} child
 */
export function stdioClient(lifecycle, child) {
  return hostOf(lifecycle, child);
}

/**
 * @param {Lifecycle} lifecycle
 * @param {string | { command: string, args: string[] }} target
 * @returns {Promise<import('./base/raw-caller.js').Caller>}
 */
async function hostOf(lifecycle, target) {
  const { revision } = wires[lifecycle];
  const host = createHost({
    info: clientInfo,
    servers: { only: { target, revision } },
    policy: () => 'allow',
  });
  await host.tools();
  const { name: tool, arguments: given } = /** @type {any} */ (workloads.call.params(0));
  return { call: () => host.callTool({ server: 'only', tool }, given), close: () => host.close() };
}
