import { request as requestOf } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * One event of a stream, or the whole answer of a response without a stream.
 *
 * @typedef {{ id: string | undefined, message: any }} WireEvent
 */

/**
 * The status and the headers of a response.
 *
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders }} Head
 */

/**
 * An HTTP response that is read event by event. `events` ends with the response, and when the connection breaks.
 *
 * @typedef {Head & { events: AsyncGenerator<WireEvent> }} Opened
 */

/**
 * A request.
 *
 * @typedef {object} Sent
 * @property {'GET' | 'POST' | 'DELETE'} method
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {object} [message]
 * @property {import('node:http').Agent} [agent] default: a connection of its own
 * @property {string} [localAddress] the address that it is sent from
 * @property {AbortSignal} [signal]
 */

/** The headers of every POST. */
export const postHeaders = Object.freeze({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/**
 * Sends a request. Resolves with the head of the response.
 *
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<Opened>}
 */
export async function send(url, sent) {
  const answer = await answerTo(url, sent);
  return { ...headOf(answer), events: eventsOf(answer) };
}

/**
 * Sends a request, and reads the messages of the complete answer.
 *
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<Head & { messages: any[] }>}
 */
export async function sendWhole(url, sent) {
  const { events, ...head } = await send(url, sent);
  const messages = [];
  for await (const { message } of events) if (message !== undefined) messages.push(message);
  return { ...head, messages };
}

/**
 * Sends a request, and reads the text of the complete answer.
 *
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<Head & { text: string }>}
 */
export async function request(url, sent) {
  const answer = await answerTo(url, sent);
  return { ...headOf(answer), text: await text(answer) };
}

/**
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
function answerTo(url, { message, headers, agent, ...sent }) {
  const accept = sent.method === 'POST' ? postHeaders : { accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const options = { ...sent, agent: agent ?? false, headers: { ...accept, ...headers } };
    const outgoing = requestOf(url, options, (answer) => {
      // An answer may break before it is read.
      answer.on('error', () => {});
      resolve(answer);
    });
    outgoing.on('error', reject);
    outgoing.end(message && JSON.stringify(message));
  });
}

/**
 * @param {import('node:http').IncomingMessage} answer
 * @returns {Head}
 */
function headOf({ statusCode = 0, headers }) {
  return { status: statusCode, headers };
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
