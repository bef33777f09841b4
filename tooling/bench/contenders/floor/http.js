import { randomUUID } from 'node:crypto';
import { listenOnLoopback } from '../base/listening.js';
import { answersOf, progressOf } from './answers.js';

/** @typedef {import('node:http').ServerResponse} ServerResponse */

/**
 * Returns a bare `node:http` handler: joins the body, parses it, calls the function, stringifies the answer, ends the response.
 *
 * @param {import('../base/offered-tools.js').Served} served
 */
export function serveHttp(served) {
  const answers = answersOf(served);
  const inSessions = served.lifecycle === 'session';
  return listenOnLoopback((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString();
      const message = JSON.parse(body);
      if (message.id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const progress = progressOf(message);
      if (progress !== undefined) stream(response, progress, answers(message));
      else respond(response, answers(message), inSessions && message.method === 'initialize');
    });
  });
}

/**
 * @param {ServerResponse} response
 * @param {object} answer
 * @param {boolean} opens true if the answer opens a session
 */
function respond(response, answer, opens) {
  const text = JSON.stringify(answer);
  /** @type {Record<string, string | number>} */
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  if (opens) headers['mcp-session-id'] = randomUUID();
  response.writeHead(200, headers).end(text);
}

/**
 * @param {ServerResponse} response
 * @param {Iterable<object>} messages
 * @param {object} answer
 */
function stream(response, messages, answer) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const message of messages) response.write(event(message));
  response.end(event(answer));
}

/** @param {object} message */
function event(message) {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
