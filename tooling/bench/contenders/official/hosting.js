import { jsonOf } from '../base/listening.js';

/**
 * A transport of either generation of the official SDK.
 *
 * @typedef {object} Transport
 * @property {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, body?: unknown) => Promise<void>} handleRequest
 * @property {() => Promise<void>} close
 * @property {string | undefined} [sessionId]
 * @property {(() => void) | undefined} [onclose]
 *
 * @typedef {{ close(): Promise<void> }} Hosted the server that a transport is connected to
 */

/**
 * Answers each request with a new server and transport, closed with the response.
 *
 * @param {() => Promise<{ transport: Transport, server: Hosted }>} open
 * @returns {import('../base/listening.js').Handler}
 */
export function hostEachRequest(open) {
  return async (request, response) => {
    const body = await jsonOf(request);
    const { transport, server } = await open();
    response.on('close', () => {
      void transport.close();
      void server.close();
    });
    await transport.handleRequest(request, response, body);
  };
}

/**
 * Keeps a transport and a server for each session in a map.
 *
 * @param {(onOpened: (id: string) => void) => Promise<Transport>} open
 * @returns {import('../base/listening.js').Handler}
 */
export function hostSessions(open) {
  /** @type {Map<string, Transport>} */
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(String(id));
    const body = await jsonOf(request);
    if (known !== undefined) await known.handleRequest(request, response, body);
    else if (id === undefined && body?.method === 'initialize') {
      const transport = await open((opened) => sessions.set(opened, transport));
      transport.onclose = () => sessions.delete(transport.sessionId ?? '');
      await transport.handleRequest(request, response, body);
    } else response.writeHead(id === undefined ? 400 : 404).end();
  };
}
