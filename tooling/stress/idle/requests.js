import { request as open } from 'node:http';

/**
 * An HTTP answer.
 *
 * @typedef {object} Reply
 * @property {number | undefined} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 */

/**
 * An HTTP request.
 *
 * @typedef {object} Sent
 * @property {import('node:http').Agent} agent
 * @property {'POST' | 'DELETE'} method
 * @property {Readonly<Record<string, string>>} headers
 * @property {object} [message]
 */

/** The headers of every POST. */
export const postHeaders = Object.freeze({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/**
 * Sends a request, and reads the complete answer.
 *
 * @param {string} url
 * @param {Sent} sent
 * @returns {Promise<Reply>}
 */
export function request(url, { agent, method, headers, message }) {
  const all = message === undefined ? headers : { ...postHeaders, ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { agent, method, headers: all }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(message && JSON.stringify(message));
  });
}
