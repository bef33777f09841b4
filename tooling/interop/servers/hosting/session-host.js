import { randomUUID } from 'node:crypto';
import { EventStore } from './event-store.js';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

/**
 * A transport of either generation of the official SDK.
 *
 * @typedef {object} SessionTransport
 * @property {(request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>} handleRequest
 */

/**
 * The options of a transport.
 *
 * @typedef {object} SessionOptions
 * @property {() => string} sessionIdGenerator
 * @property {EventStore} eventStore
 * @property {number} retryInterval
 * @property {(id: string) => void} onsessioninitialized
 * @property {(id: string) => void} onsessionclosed
 */

/**
 * Keeps sessions in a map, as the SDK's documentation recommends.
 *
 * @param {(options: SessionOptions) => Promise<SessionTransport>} open creates a transport with a server behind it
 * @returns {(request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>}
 */
export function hostSessions(open) {
  /** @type {Map<string, SessionTransport>} */
  const sessions = new Map();
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    if (id !== undefined) {
      const session = sessions.get(String(id));
      if (session === undefined) refuse(response, 404, 'Session not found');
      else await session.handleRequest(request, response, body);
      return;
    }
    const transport = await open({
      sessionIdGenerator: randomUUID,
      eventStore: new EventStore(),
      retryInterval: 200,
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    await transport.handleRequest(request, response, body);
  };
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {string} message
 */
function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message }, id: null }));
}
