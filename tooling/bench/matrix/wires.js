import { count, echo, payloadLength, plan, steps } from './tools.js';

/**
 * How a client of a lifecycle writes. `stateless` is the newest revision; the others are one that opens with a handshake,
 * in a session, or over HTTP without one.
 *
 * @typedef {'sessionless' | 'session' | 'stateless'} Lifecycle
 *
 * @typedef {object} Wire
 * @property {string} revision
 * @property {object[]} opening what a client sends before its first call; the first of them is answered
 * @property {(id: number, method: string, params: Record<string, unknown>) => object} request
 * @property {(method: string, name?: string) => Record<string, string>} headers what a client sends beside a body over HTTP; a handshake may
 *   settle on another version than that of its header
 */

export const clientInfo = { name: 'bench-driver', version: '1.0.0' };

const handshakeRevision = '2025-11-25';
const statelessRevision = '2026-07-28';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': statelessRevision,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const everyCall = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** @type {Wire} */
const handshake = {
  revision: handshakeRevision,
  opening: [
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: handshakeRevision, capabilities: {}, clientInfo },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ],
  request: (id, method, params) => ({ jsonrpc: '2.0', id, method, params }),
  headers: (method) =>
    method === 'initialize' ? everyCall : { ...everyCall, 'mcp-protocol-version': handshakeRevision },
};

/** @type {Record<Lifecycle, Wire>} */
export const wires = {
  session: handshake,
  sessionless: handshake,
  stateless: {
    revision: statelessRevision,
    opening: [{ jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: envelope } }],
    request: (id, method, params) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: { .../** @type {object} */ (params._meta), ...envelope } },
    }),
    headers: (method, name) => ({
      ...everyCall,
      'mcp-protocol-version': statelessRevision,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    }),
  },
};

/**
 * One kind of request, and how its answer is known to be right.
 *
 * @typedef {object} Workload
 * @property {'few' | 'many'} catalogue what the server offers
 * @property {string} method
 * @property {string} [name] of the tool
 * @property {(id: number) => Record<string, unknown>} params
 * @property {(result: any) => string | undefined} flaw of a result, parsed
 * @property {number} messages of the server that belong to one request, its answer included
 * @property {Record<string, unknown>} [refused] arguments that a server which validates refuses
 */

/** @type {Record<'call' | 'list' | 'payload' | 'progress', Workload>} */
export const workloads = {
  call: {
    catalogue: 'few',
    method: 'tools/call',
    name: plan.name,
    params: () => ({ name: plan.name, arguments: { city: 'Oslo', days: 3 } }),
    flaw: (result) => textFlaw(result, '3 days in Oslo'),
    messages: 1,
    refused: { city: 'Oslo', days: 'three' },
  },
  list: {
    catalogue: 'many',
    method: 'tools/list',
    params: () => ({}),
    flaw: (result) =>
      result?.tools?.length === 500 && result.nextCursor === undefined
        ? undefined
        : `${result?.tools?.length} tools, cursor ${result?.nextCursor}`,
    messages: 1,
  },
  payload: {
    catalogue: 'few',
    method: 'tools/call',
    name: echo.name,
    params: () => ({ name: echo.name, arguments: { text: payload } }),
    flaw: (result) => textFlaw(result, payload),
    messages: 1,
  },
  progress: {
    catalogue: 'few',
    method: 'tools/call',
    name: count.name,
    params: (id) => ({ name: count.name, arguments: { to: steps }, _meta: { progressToken: id } }),
    flaw: (result) => textFlaw(result, count.done({ to: steps })),
    messages: steps + 1,
  },
};

const payload = 'Sixteen letters.'.repeat(payloadLength / 16);

/**
 * @param {any} result
 * @param {string} text
 */
function textFlaw(result, text) {
  const [block, ...more] = result?.content ?? [];
  if (block?.type === 'text' && block.text === text && more.length === 0 && result.isError !== true)
    return undefined;
  return `wrong answer: ${JSON.stringify(result)?.slice(0, 300)}`;
}
