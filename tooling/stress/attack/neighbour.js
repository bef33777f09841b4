import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { alone, statelessHeaders, taskIdIn, toolCall, withTasks } from '../wire/messages.js';
import { request } from '../wire/requests.js';
import { openSession } from '../wire/sessions.js';

/** Milliseconds between two calls. */
const interval = 25;

/** The number of calls for each task: few enough for the limit of tasks of one caller. */
const callsOfTask = 20;

/**
 * Another client of the server, from another address. It calls one tool repeatedly, in a session and without one, and makes tasks
 * at a server that has them.
 */
export class Neighbour {
  #url;
  #hasTasks;
  #agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
  /** @type {Readonly<Record<string, string>> | undefined} */
  #session;
  #calls = 0;
  #stopped = false;
  /** @type {number[]} milliseconds of each call */
  #times = [];
  /** @type {string[]} */
  #failures = [];
  /** @type {Promise<void> | undefined} */
  #running;

  /**
   * @param {string} url
   * @param {{ hasTasks?: boolean }} [options] true for a server with tasks
   */
  constructor(url, { hasTasks = false } = {}) {
    this.#url = url;
    this.#hasTasks = hasTasks;
  }

  async open() {
    this.#session = (await openSession(this.#url, { agent: this.#agent })).headers;
  }

  /** Starts calling. */
  start() {
    this.#stopped = false;
    this.#times = [];
    this.#failures = [];
    this.#running = this.#go();
  }

  /** Stops calling when the last call has its answer; returns the times and failures. */
  async stop() {
    this.#stopped = true;
    await this.#running;
    return { calls: this.#times.length, slowest: Math.max(0, ...this.#times), failures: this.#failures };
  }

  close() {
    this.#agent.destroy();
  }

  async #go() {
    do {
      const text = `call ${++this.#calls}`;
      const since = performance.now();
      const makesTask = this.#hasTasks && this.#calls % callsOfTask === 1;
      const made = makesTask ? this.#makeTask() : this.#echo(text);
      const failure = await made.catch((error) => String(error));
      this.#times.push(performance.now() - since);
      if (failure !== undefined && this.#failures.length < 3) this.#failures.push(failure);
      await pause(interval);
    } while (!this.#stopped);
  }

  async #makeTask() {
    const call = toolCall(this.#calls, 'small-task');
    const reply = await this.#post(alone(call, withTasks), statelessHeaders(call));
    return taskIdIn(reply.text) === undefined ? `no task was made: ${reply.text.slice(0, 200)}` : undefined;
  }

  /** @param {string} text */
  async #echo(text) {
    const call = toolCall(this.#calls, 'echo', { text });
    const stateless = this.#calls % 2 === 0;
    const reply = stateless
      ? await this.#post(alone(call), statelessHeaders(call))
      : await this.#post(call, this.#session ?? {});
    const echoed = reply.status === 200 && reply.text.includes(JSON.stringify(text));
    return echoed ? undefined : `status ${reply.status}: ${reply.text.slice(0, 200)}`;
  }

  /**
   * @param {object} message
   * @param {Readonly<Record<string, string>>} headers
   */
  #post(message, headers) {
    return request(this.#url, { agent: this.#agent, method: 'POST', headers, message });
  }
}
