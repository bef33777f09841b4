import { count, echo, payloadLength, plan, steps } from './tools.js';

/**
 * The messages of a client in one lifecycle. `stateless` is the newest revision; the others open with a handshake, in a
 * session or, over HTTP, without one.
 *
 * @typedef {'sessionless' | 'session' | 'stateless'} Lifecycle
 *
 * @typedef {object} Wire
 * @property {string} revision
 * @property {object[]} opening the messages before the first call; the first is a request
 * @property {(id: number, method: string, params: Record<string, unknown>) => object} request
 * @property {(method: string, name?: string) => Record<string, string>} headers of an HTTP request; a handshake may replace
 *   the version
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
 * The parsed result of a request, as far as the checks read it.
 *
 * @typedef {object} WireResult
 * @property {readonly { readonly type: string, readonly text?: string }[]} [content]
 * @property {readonly { readonly name: string }[]} [tools]
 * @property {string} [nextCursor]
 * @property {boolean} [isError]
 * @property {string} [protocolVersion]
 */

/**
 * One kind of request, and the check of its answer.
 *
 * @typedef {object} Workload
 * @property {'few' | 'many'} catalogue the tools of the server
 * @property {string} method
 * @property {string} [name] of the tool
 * @property {(id: number) => Record<string, unknown>} params
 * @property {(result: WireResult | undefined) => string | undefined} problem returns the problem with a parsed result
 * @property {number} messages of the server per request, its answer included
 * @property {Record<string, unknown>} [refused] arguments that a validating server rejects
 */

/** @type {Record<'call' | 'list' | 'payload' | 'progress' | 'initialize', Workload>} */
export const workloads = {
  call: {
    catalogue: 'few',
    method: 'tools/call',
    name: plan.name,
    params: () => ({ name: plan.name, arguments: { city: 'Oslo', days: 3 } }),
    problem: (result) => textProblem(result, '3 days in Oslo'),
    messages: 1,
    refused: { city: 'Oslo', days: 'three' },
  },
  list: {
    catalogue: 'many',
    method: 'tools/list',
    params: () => ({}),
    problem: (result) =>
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
    problem: (result) => textProblem(result, payload),
    messages: 1,
  },
  progress: {
    catalogue: 'few',
    method: 'tools/call',
    name: count.name,
    params: (id) => ({ name: count.name, arguments: { to: steps }, _meta: { progressToken: id } }),
    problem: (result) => textProblem(result, count.done({ to: steps })),
    messages: steps + 1,
  },
  initialize: {
    catalogue: 'few',
    method: 'initialize',
    params: () => ({ protocolVersion: handshakeRevision, capabilities: {}, clientInfo }),
    problem: (result) =>
      // An earlier revision is an answer as well: the server negotiates.
      typeof result?.protocolVersion === 'string'
        ? undefined
        : `wrong answer: ${JSON.stringify(result)?.slice(0, 300)}`,
    messages: 1,
  },
};

const payload = 'Sixteen letters.'.repeat(payloadLength / 16);

/**
 * @param {WireResult | undefined} result
 * @param {string} text
 */
function textProblem(result, text) {
  const [block, ...more] = result?.content ?? [];
  if (block?.type === 'text' && block.text === text && more.length === 0 && result.isError !== true)
    return undefined;
  return `wrong answer: ${JSON.stringify(result)?.slice(0, 300)}`;
}
