import { handshake, initialize } from './messages.js';
import { request } from './requests.js';

/**
 * A session, and the headers of requests in it.
 *
 * @typedef {{ id: string, headers: Readonly<Record<string, string>> }} Session
 */

/**
 * Opens a session.
 *
 * @param {string} url
 * @param {object} [options]
 * @param {string} [options.revision]
 * @param {import('./messages.js').Introduction} [options.client]
 * @param {Readonly<Record<string, string>>} [options.headers] of the caller
 * @param {import('node:http').Agent} [options.agent]
 * @returns {Promise<Session>}
 */
export async function openSession(url, { revision = handshake, client = {}, headers = {}, agent } = {}) {
  const to = { method: /** @type {const} */ ('POST'), ...(agent && { agent }) };
  const answer = await request(url, { ...to, headers, message: initialize(revision, client) });
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string')
    throw new Error(`No session was opened: status ${answer.status}: ${answer.text}`);
  const own = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': revision };
  const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await request(url, { ...to, headers: own, message });
  return { id, headers: own };
}

/**
 * @param {string} url
 * @param {Session} session
 * @param {import('node:http').Agent} agent
 */
export async function endSession(url, { headers }, agent) {
  await request(url, { agent, method: 'DELETE', headers });
}
