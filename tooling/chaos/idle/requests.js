import { request as open } from 'node:http';

/**
 * What came back.
 *
 * @typedef {object} Reply
 * @property {number | undefined} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 */

/**
 * What is sent.
 *
 * @typedef {object} Sent
 * @property {import('node:http').Agent} agent
 * @property {'POST' | 'DELETE'} method
 * @property {Readonly<Record<string, string>>} headers
 * @property {object} [message]
 */

/** Headers of every POST. */
export const postHeaders = Object.freeze({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/**
 * Sends a request, and reads the whole answer.
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
