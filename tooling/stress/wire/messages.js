/** Messages as a client writes them, by the specification. */

/** The handshake revision with batches. */
export const batching = '2025-03-26';
export const handshake = '2025-11-25';
export const stateless = '2026-07-28';

const client = { name: 'client', version: '1.0.0' };

/**
 * @param {number | string} id
 * @param {string} method
 * @param {object} [params]
 */
export function request(id, method, params = {}) {
  return { jsonrpc: '2.0', id, method, params };
}

/**
 * @param {number | string} id
 * @param {string} name of the tool
 * @param {object} [input]
 */
export function toolCall(id, name, input = {}) {
  return request(id, 'tools/call', { name, arguments: input });
}

/**
 * Returns the message in the stateless revision.
 *
 * @param {ReturnType<typeof request>} message
 * @param {Readonly<Record<string, unknown>>} [meta] further metadata of the request
 */
export function alone(message, meta = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': stateless,
    'io.modelcontextprotocol/clientInfo': client,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  };
  return { ...message, params: { ...message.params, _meta } };
}

/** The capabilities of a client that has tasks. */
export const taskCapabilities = Object.freeze({ extensions: { 'io.modelcontextprotocol/tasks': {} } });

/** The metadata of a client that has tasks. */
export const withTasks = Object.freeze({ 'io.modelcontextprotocol/clientCapabilities': taskCapabilities });

/**
 * Returns the metadata of a call that may be repeated.
 *
 * @param {string} key
 */
export function repeatable(key) {
  return { 'dev.tenon/idempotency-key': key };
}

/**
 * Returns the id of the task in the answer to a call; undefined without a task.
 *
 * @param {string} text
 */
export function taskIdIn(text) {
  return /"taskId":"([^"]+)"/.exec(text)?.[1];
}

/**
 * The part of a handshake that differs between clients.
 *
 * @typedef {{ name?: string, capabilities?: object }} Introduction
 */

/**
 * @param {string} revision
 * @param {Introduction} [introduction]
 */
export function initialize(revision, { name = client.name, capabilities = {} } = {}) {
  const params = { protocolVersion: revision, capabilities, clientInfo: { ...client, name } };
  return request('initialize', 'initialize', params);
}

/**
 * Returns the headers of a message in the stateless revision.
 *
 * @param {{ method: string, params: object }} message
 */
export function statelessHeaders({ method, params }) {
  const { name, taskId = name } = /** @type {{ name?: string, taskId?: string }} */ (params);
  const named = taskId === undefined ? {} : { 'mcp-name': taskId };
  return { 'mcp-protocol-version': stateless, 'mcp-method': method, ...named };
}

/** @param {number} count */
export function badRecords(count) {
  return Array.from({ length: count }, () => ({ name: 1, age: 'x', tags: 2 }));
}
