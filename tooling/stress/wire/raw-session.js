import { userAnswerTo } from '../storm/findings/answers.js';
import { handshake, initialize, request, toolCall } from './messages.js';
import { send, sendWhole } from './requests.js';
import { openSession } from './sessions.js';

/** @typedef {import('./requests.js').Opened} Opened */

const client = { capabilities: { elicitation: {} } };

/**
 * A session of 2025-11-25. Each message goes to the process that its caller chooses, and is sent once: an official client behaves
 * like that.
 */
export class RawSession {
  id;
  #headers;

  /**
   * @param {string} id
   * @param {Readonly<Record<string, string>>} headers of the caller
   */
  constructor(id, headers) {
    this.id = id;
    this.#headers = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': handshake };
  }

  /**
   * @param {string} url
   * @param {Readonly<Record<string, string>>} [headers] of the caller
   */
  static async open(url, headers = {}) {
    const { id } = await openSession(url, { headers, client });
    return new RawSession(id, headers);
  }

  /**
   * @param {string} url
   * @param {Readonly<Record<string, string>>} [headers]
   * @param {AbortSignal} [signal]
   */
  static initialize(url, headers = {}, signal) {
    const message = initialize(handshake, client);
    return sendWhole(url, { method: 'POST', headers, message, ...(signal && { signal }) });
  }

  /**
   * Sends a message, and reads the complete answer.
   *
   * @param {string} url
   * @param {object} message
   */
  post(url, message) {
    return sendWhole(url, { method: 'POST', headers: this.#headers, message });
  }

  /**
   * Calls a tool. Resolves with the head of the response.
   *
   * @param {string} url
   * @param {Call} call
   * @param {AbortSignal} [signal]
   */
  call(url, { number, tool, given = {} }, signal) {
    const { params, ...rest } = toolCall(number, tool, { number, ...given });
    const message = { ...rest, params: { ...params, _meta: { progressToken: number } } };
    return send(url, { method: 'POST', headers: this.#headers, message, ...(signal && { signal }) });
  }

  /**
   * Answers the input request of a call as its user does. Returns the status of the response.
   *
   * @param {string} url
   * @param {string} id of the input request
   * @param {number} number of the call
   */
  async answer(url, id, number) {
    const result = { action: 'accept', content: { value: userAnswerTo(number) } };
    return (await this.post(url, { jsonrpc: '2.0', id, result })).status;
  }

  /**
   * Cancels a call. Returns the status of the response.
   *
   * @param {string} url
   * @param {number} number of the call
   */
  async cancel(url, number) {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: number } };
    return (await this.post(url, message)).status;
  }

  /** @param {string} url */
  async ping(url) {
    return (await this.post(url, request('ping', 'ping'))).status;
  }

  /**
   * Opens the stream of the session, or resumes the stream with an event.
   *
   * @param {string} url
   * @param {string} [lastEventId]
   * @param {AbortSignal} [signal]
   */
  listen(url, lastEventId, signal) {
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return send(url, { method: 'GET', headers: { ...this.#headers, ...resumed }, ...(signal && { signal }) });
  }
}

/**
 * A call of a tool, with the number that its answer must have.
 *
 * @typedef {{ number: number, tool: string, given?: object }} Call
 */
