import { setTimeout as pause } from 'node:timers/promises';
import { answerTo } from '@tenon/tool-chaos/storm/answers.js';

/** @typedef {import('./raw-session.js').RawSession} RawSession */
/** @typedef {import('./requests.js').Opened} Opened */

/**
 * The end of a call.
 *
 * @typedef {object} CallEnd
 * @property {any} [answer] the response to the call
 * @property {string} [problem] the reason that there is none
 * @property {number[]} refusals statuses of requests that opened no stream
 */

/** Milliseconds between two attempts to resume a stream. */
const breath = 200;

/** Calls a tool in a session, and resumes its stream until the answer arrives. A request is sent again only after a refusal. */
export class FollowedCall {
  #session;
  #call;
  #to;
  /** @type {string | undefined} */
  #lastEventId;
  /** The answer to the call. @type {any} */
  #answer;
  /** @type {number[]} */
  #refusals = [];
  /** The id of the input request that the call waits for. @type {Promise<string>} */
  requested;
  /** @type {(id: string) => void} */
  #wasRequested = () => {};
  /** Called with each progress report. @type {(progress: number) => void} */
  onProgress = () => {};
  /** The time at which a stream was resumed first. @type {number | undefined} */
  resumedAt;
  /** Called before the stream is resumed. @type {() => Promise<unknown> | void} */
  onBroken = () => {};

  /**
   * @param {RawSession} session
   * @param {import('./raw-session.js').Call} call
   * @param {() => string} to returns the URL for the next request
   */
  constructor(session, call, to) {
    this.#session = session;
    this.#call = call;
    this.#to = to;
    this.requested = new Promise((resolve) => {
      this.#wasRequested = resolve;
    });
  }

  get number() {
    return this.#call.number;
  }

  /**
   * @param {number} ms until the call counts as one that hangs
   * @returns {Promise<CallEnd>}
   */
  async run(ms) {
    const until = performance.now() + ms;
    const limit = AbortSignal.timeout(ms);
    const end = (/** @type {string} */ problem) => ({ problem, refusals: this.#refusals });
    while (performance.now() < until) {
      const id = this.#lastEventId;
      const status = await this.#read(() =>
        id === undefined
          ? this.#session.call(this.#to(), this.#call, limit)
          : this.#session.listen(this.#to(), id, limit),
      );
      if (this.#answer !== undefined) return { answer: this.#answer, refusals: this.#refusals };
      if (status === 404) return end('its session is unknown');
      const isBroken = status === 200 || status === undefined;
      if (isBroken && this.#lastEventId === undefined) return end('its stream broke before its first event');
      await pause(breath);
      if (status === 200) await this.onBroken();
    }
    return end(`no end within ${ms / 1_000} s`);
  }

  /**
   * @param {() => Promise<Opened>} open
   * @returns {Promise<number | undefined>} the status; undefined without a response
   */
  async #read(open) {
    try {
      const { status, events } = await open();
      if (status !== 200) this.#refusals.push(status);
      else if (this.#lastEventId !== undefined) this.resumedAt ??= performance.now();
      for await (const { id, message } of events) {
        if (id !== undefined) this.#lastEventId = id;
        if (message !== undefined && status === 200) this.#receive(message);
        if (this.#answer !== undefined) break;
      }
      return status;
    } catch {
      // The process has ended, or the time is over.
      return undefined;
    }
  }

  /** @param {any} message */
  #receive(message) {
    if (message.method === 'elicitation/create') this.#wasRequested(message.id);
    else if (message.method === 'notifications/progress') this.onProgress(message.params.progress);
    else if (message.id === this.#call.number) this.#answer = message;
  }
}

/**
 * Returns the problem of an answer to a call; undefined for the right result.
 *
 * @param {CallEnd} end
 * @param {number} number
 * @returns {string | undefined}
 */
export function problemOfResult({ answer, problem }, number) {
  if (problem !== undefined) return problem;
  if (answer.error !== undefined) return `error ${answer.error.code}: ${answer.error.message}`;
  const [{ text = '' } = {}] = answer.result?.content ?? [];
  if (answer.result?.isError === true) return `tool error: ${text}`;
  const { number: returned, value, said = 'right' } = JSON.parse(text);
  if (returned !== number || value !== answerTo(number)) return `the result of another call: ${text}`;
  return said === 'right' ? undefined : `the answer of the user was lost: ${said}`;
}
