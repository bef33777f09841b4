// Loads a bundled server that answers the first call of a client: `node run.js FILE LIFECYCLE`.
import { pathToFileURL } from 'node:url';
import { wires, workloads } from '../../../matrix/wires.js';

const [bundle = '', lifecycle = ''] = process.argv.slice(2);
const { handle } = await import(pathToFileURL(bundle).href);
const wire = wires[/** @type {import('../../../matrix/wires.js').Lifecycle} */ (lifecycle)];
const { method, name, params } = workloads.call;

/** @type {Record<string, string>} the headers of requests after the handshake */
const settled = {};
for (const message of wire.opening) {
  const response = await post(message, wire.headers(Reflect.get(message, 'method')));
  const [, revision] = /"protocolVersion":"([^"]+)"/.exec(await response.text()) ?? [];
  const id = response.headers.get('mcp-session-id');
  if (id !== null) settled['mcp-session-id'] = id;
  if (revision !== undefined) settled['mcp-protocol-version'] = revision;
}
const response = await post(wire.request(1, method, params(1)), wire.headers(method, name));
const text = await response.text();
if (!text.includes('3 days in Oslo')) throw new Error(`wrong answer: ${text.slice(0, 300)}`);
process.exit();

/**
 * @param {object} message
 * @param {Record<string, string>} headers
 * @returns {Promise<Response>}
 */
async function post(message, headers) {
  const all = { host: 'localhost', ...headers, ...settled };
  return handle(
    new Request('http://localhost/mcp', { method: 'POST', headers: all, body: JSON.stringify(message) }),
  );
}
