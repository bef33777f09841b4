import { setTimeout as pause } from 'node:timers/promises';
import { answerTo } from '../storm/findings/answers.js';

/** @typedef {import('./raw-session.js').RawSession} RawSession */
/** @typedef {import('./requests.js').Opened} Opened */

/**
 * The end of a call.
 *
 * @typedef {object} CallEnd
 * @property {any} [answer] the response to the call
 * @property {string} [problem] the reason that there is none
 * @property {number[]} refusals statuses of requests that resumed no stream
 * @property {number} resumptions requests that resumed the stream
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
  #connection = new AbortController();
  /** The answer to the call. @type {any} */
  #answer;
  /** @type {number[]} */
  #refusals = [];
  /** The id of the input request that the call waits for. @type {Promise<string>} */
  requested;
  /** @type {(id: string) => void} */
  #wasRequested = () => {};
  /** Resolves with true at the first progress report. @type {Promise<true>} */
  began;
  /** @type {(began: true) => void} */
  #hasBegun = () => {};
  /** Called with each progress report. @type {(progress: number) => void} */
  onProgress = () => {};
  /** The time at which a stream was resumed first. @type {number | undefined} */
  resumedAt;
  /** Resolves when a stream was resumed. @type {Promise<void>} */
  resumed;
  #wasResumed = () => {};
  #resumptions = 0;
  #isStopped = false;
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
    this.began = new Promise((resolve) => {
      this.#hasBegun = resolve;
    });
    this.resumed = new Promise((resolve) => {
      this.#wasResumed = resolve;
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
    const counts = () => ({ refusals: this.#refusals, resumptions: this.#resumptions });
    const end = (/** @type {string} */ problem) => ({ problem, ...counts() });
    while (performance.now() < until && !this.#isStopped) {
      const id = this.#lastEventId;
      this.#connection = new AbortController();
      const signal = AbortSignal.any([limit, this.#connection.signal]);
      const status = await this.#read(() =>
        id === undefined
          ? this.#session.call(this.#to(), this.#call, signal)
          : this.#session.listen(this.#to(), id, signal),
      );
      if (this.#answer !== undefined) return { answer: this.#answer, ...counts() };
      if (status === 404) return end('its session is unknown');
      if (status === 400) return end('its stream is unknown');
      if (status === 500) return end('status 500');
      const isBroken = status === 200 || status === undefined;
      if (isBroken && this.#lastEventId === undefined) return end('its stream broke before its first event');
      await pause(breath);
      if (status === 200) await this.onBroken();
    }
    return end(`no end within ${ms / 1_000} s`);
  }

  /** Breaks the connection for good. */
  stop() {
    this.#isStopped = true;
    this.cut();
  }

  /** Breaks the connection. The stream is resumed on another one. */
  cut() {
    this.#connection.abort();
  }

  /**
   * @param {() => Promise<Opened>} open
   * @returns {Promise<number | undefined>} the status; undefined without a response
   */
  async #read(open) {
    const isResumption = this.#lastEventId !== undefined;
    if (isResumption) this.#resumptions++;
    try {
      const { status, events } = await open();
      if (isResumption && status !== 200) this.#refusals.push(status);
      else if (isResumption) {
        this.resumedAt ??= performance.now();
        this.#wasResumed();
      }
      for await (const { id, message } of events) {
        if (id !== undefined) this.#lastEventId = id;
        if (message !== undefined && status === 200) this.#receive(message);
        if (this.#answer !== undefined) break;
      }
      return status;
    } catch {
      // The connection broke, or the time is over.
      return undefined;
    }
  }

  /** @param {any} message */
  #receive(message) {
    if (message.method === 'elicitation/create') this.#wasRequested(message.id);
    else if (message.method === 'notifications/progress') {
      this.#hasBegun(true);
      this.onProgress(message.params.progress);
    } else if (message.id === this.#call.number) this.#answer = message;
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
