// The one call that everything is measured by: a small tool with two arguments.

export const tool = {
  name: 'plan',
  description: 'Plans a stay',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1 },
      days: { type: 'integer', minimum: 1, maximum: 7 },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  },
};

export const goodArguments = { city: 'Oslo', days: 3 };
export const badArguments = { city: 'Oslo', days: 'three' };
export const expectedText = plan(goodArguments);
export const serverInfo = { name: 'bench', version: '1.0.0' };
export const clientInfo = { name: 'bench-driver', version: '1.0.0' };

/** @param {{ city: string, days: number }} input */
export function plan({ city, days }) {
  return `${days} days in ${city}`;
}

/**
 * How the call is written in a lifecycle.
 *
 * @typedef {object} Wire
 * @property {string} revision
 * @property {(id: number, input: object) => object} request
 * @property {(id: number | string, text: string) => object} answer what a server without a framework answers
 * @property {object[]} opening what a client sends before its first call; the first of them is answered
 */

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** @type {{ handshake: Wire, stateless: Wire }} */
export const wires = {
  handshake: {
    revision: '2025-11-25',
    request: (id, input) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: tool.name, arguments: input },
    }),
    answer: (id, text) => ({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text }], isError: false },
    }),
    opening: [
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ],
  },
  stateless: {
    revision: '2026-07-28',
    request: (id, input) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: tool.name, arguments: input, _meta: envelope },
    }),
    answer: (id, text) => ({
      jsonrpc: '2.0',
      id,
      result: {
        content: [{ type: 'text', text }],
        isError: false,
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      },
    }),
    opening: [{ jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: envelope } }],
  },
};

/**
 * Throws unless a result is the one the tool returns.
 *
 * @param {any} result
 */
export function checkResult(result) {
  const [block, ...more] = result?.content ?? [];
  if (block?.text === expectedText && more.length === 0 && result.isError !== true) return;
  throw new Error(`wrong answer: ${JSON.stringify(result)}`);
}
