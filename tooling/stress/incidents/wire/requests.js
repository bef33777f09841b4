import { request as open } from 'node:http';
import { postHeaders } from '../../idle/requests.js';

/**
 * One event of a stream, or the whole answer of a response without a stream.
 *
 * @typedef {{ id: string | undefined, message: any }} WireEvent
 */

/**
 * An HTTP response that is read event by event.
 *
 * @typedef {object} Opened
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {AsyncGenerator<WireEvent>} events ends with the response, and when the connection breaks
 */

/**
 * A request.
 *
 * @typedef {object} Sent
 * @property {'GET' | 'POST' | 'DELETE'} method
 * @property {Readonly<Record<string, string>>} headers
 * @property {object} [message]
 * @property {string} [localAddress] the address that it is sent from
 * @property {AbortSignal} [signal]
 */

/**
 * Sends a request on a connection of its own. Resolves with the head of the response.
 *
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<Opened>}
 */
export function send(url, { method, headers, message, localAddress, signal }) {
  const accept = method === 'GET' ? { accept: 'text/event-stream' } : postHeaders;
  return new Promise((resolve, reject) => {
    const outgoing = open(
      url,
      { agent: false, method, headers: { ...accept, ...headers }, localAddress, signal },
      (answer) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, events: eventsOf(answer) }),
    );
    // The body of an answer ends by itself when its connection breaks.
    outgoing.on('error', reject);
    outgoing.end(message && JSON.stringify(message));
  });
}

/**
 * Sends a request, and reads the complete answer.
 *
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, messages: any[] }>}
 */
export async function sendWhole(url, sent) {
  const { status, headers, events } = await send(url, sent);
  const messages = [];
  for await (const { message } of events) if (message !== undefined) messages.push(message);
  return { status, headers, messages };
}

/**
 * @param {import('node:http').IncomingMessage} answer
 * @returns {AsyncGenerator<WireEvent>}
 */
async function* eventsOf(answer) {
  const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
  let rest = '';
  try {
    for await (const chunk of answer.setEncoding('utf8')) {
      rest += chunk;
      if (!isStream) continue;
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      yield* events.map(eventOf);
    }
  } catch {
    // The connection broke.
  }
  if (!isStream && rest.startsWith('{')) yield { id: undefined, message: JSON.parse(rest) };
}

/**
 * @param {string} text
 * @returns {WireEvent}
 */
function eventOf(text) {
  const field = (/** @type {string} */ name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text)?.[1];
  const data = field('data');
  return { id: field('id'), message: data === undefined || data === '' ? undefined : JSON.parse(data) };
}
