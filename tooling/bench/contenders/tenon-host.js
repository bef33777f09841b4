// Tenon, calls through a host: one server, a policy that allows, no audit log. Beside it a client of its own, as what counts is the difference of both:
// two processes differ more, because the messages that a process finds in one chunk depend on the other end.
import { createHost } from '@tenon/mcp-host';
import { clientInfo, wires, workloads } from '../matrix/wires.js';
import * as clients from './tenon/clients.js';

/** @typedef {import('../matrix/wires.js').Lifecycle} Lifecycle */

/**
 * @param {Lifecycle} lifecycle
 * @param {string} url
 */
export async function httpClient(lifecycle, url) {
  return hostOf(lifecycle, { target: url, beside: await clients.httpClient(lifecycle, url) });
}

/**
 * @param {Lifecycle} lifecycle
 * @param {{ command: string, args: string[] }} child
 */
export async function stdioClient(lifecycle, child) {
  return hostOf(lifecycle, { target: child, beside: await clients.stdioClient(lifecycle, child) });
}

/**
 * @param {Lifecycle} lifecycle
 * @param {{ target: string | { command: string, args: string[] }, beside: import('./base/raw-caller.js').Caller }} given
 * @returns {Promise<import('./base/raw-caller.js').Caller>}
 */
async function hostOf(lifecycle, { target, beside }) {
  const { revision } = wires[lifecycle];
  const host = createHost({
    info: clientInfo,
    servers: { only: { target, revision } },
    policy: () => 'allow',
  });
  await host.tools();
  const { name: tool, arguments: given } = /** @type {any} */ (workloads.call.params(0));
  return {
    call: () => host.callTool({ server: 'only', tool }, given),
    close: () => Promise.all([host.close(), beside.close()]),
    beside,
  };
}
