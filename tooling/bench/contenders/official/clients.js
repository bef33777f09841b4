import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientInfo, wires, workloads } from '../../matrix/wires.js';

/** @typedef {import('../../matrix/wires.js').Lifecycle} Lifecycle */

/**
 * @param {Lifecycle} lifecycle
 * @param {string} url
 */
export function httpClient(lifecycle, url) {
  return clientOver(lifecycle, new StreamableHTTPClientTransport(new URL(url)));
}

/**
 * @param {Lifecycle} lifecycle
 * @param {{ command: string, args: string[] }} child
 */
export function stdioClient(lifecycle, child) {
  return clientOver(lifecycle, new StdioClientTransport(child));
}

/**
 * @param {Lifecycle} lifecycle
 * @param {import('@modelcontextprotocol/client').Transport} transport
 * @returns {Promise<import('../base/raw-caller.js').Caller>}
 */
async function clientOver(lifecycle, transport) {
  const mode = lifecycle === 'stateless' ? { pin: wires.stateless.revision } : 'legacy';
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(transport);
  const params = /** @type {any} */ (workloads.call.params(0));
  return { call: () => client.callTool(params), close: () => client.close() };
}
