import { wires, workloads } from '../matrix/wires.js';
import { isRefusal, problemOf, shown } from './answer.js';
import { MessageCounter } from './message-counter.js';
import { refusedRequest, requestText } from './request-text.js';

/** @typedef {import('../processes/measured-process.js').MeasuredProcess} MeasuredProcess */

const newline = 10;

/** Sends requests to a server over its pipes, in lines. Rejects if an answer has a problem. */
export class StdioDriver {
  #process;
  #kind;
  #opening;
  #text;
  #id = 1;
  /** @type {(chunk: Buffer) => void} */
  #onData = () => {};

  /**
   * @param {MeasuredProcess} process
   * @param {import('./request-text.js').RequestKind} kind
   */
  constructor(process, kind) {
    this.#process = process;
    this.#kind = kind;
    this.#opening = wires[kind.lifecycle].opening;
    this.#text = requestText(kind);
    process.stdout.on('data', (chunk) => this.#onData(chunk));
  }

  /** Sends the messages before the first request. */
  async open() {
    const [first, ...more] = this.#opening;
    if (first === undefined) return;
    const messages = await this.#ask(first);
    if (messages.at(-1).result === undefined) throw new Error(`not opened: ${shown(messages)}`);
    for (const message of more) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * Sends one request and checks the complete answer.
   *
   * @param {{ validates: boolean }} server `validates` if it must reject invalid arguments
   */
  async check({ validates }) {
    const id = this.#id++;
    const { workload } = this.#kind;
    const problem = problemOf(await this.#ask(JSON.parse(this.#text(id))), { id, workload });
    if (problem !== undefined) throw new Error(problem);
    const refused = validates ? refusedRequest(this.#kind, this.#id++) : undefined;
    if (refused !== undefined && !isRefusal(await this.#ask(refused)))
      throw new Error('The server accepted invalid arguments.');
  }

  /**
   * @param {import('./in-flight.js').Length} length
   * @returns {Promise<import('./in-flight.js').Driven>}
   */
  async run({ ms, least = 1, depth }) {
    const due = workloads[this.#kind.workload].messages;
    const counter = new MessageCounter();
    const start = performance.now();
    let sent = depth;
    const answered = new Promise((resolve, reject) => {
      this.#onData = (chunk) => {
        const before = counter.answers;
        counter.take(chunk);
        const elapsed = performance.now() - start;
        if (counter.failed)
          return reject(new Error(`an error was answered: ${chunk.toString('utf8', 0, 300)}`));
        if (elapsed >= ms && counter.answers >= least) {
          // The last answer has been counted, but the rest of its line may not have arrived.
          if (counter.answers >= sent && chunk.at(-1) === newline) resolve(elapsed);
        } else if (counter.answers > before) {
          sent += counter.answers - before;
          this.#send(counter.answers - before);
        }
      };
      this.#send(depth);
    });
    const elapsed = await Promise.race([answered, this.#process.ended]);
    const { messages, answers } = counter;
    if (answers === sent && messages === sent * due) return { count: sent, ms: elapsed };
    throw new Error(`${messages} messages to ${sent} requests, not ${due} to each`);
  }

  /** Does nothing: the owner of the process closes it. */
  async close() {
    this.#onData = () => {};
  }

  /**
   * Sends `count` requests in one write.
   *
   * @param {number} count
   */
  #send(count) {
    let lines = '';
    for (let n = 0; n < count; n++) lines += `${this.#text(this.#id++)}\n`;
    this.#process.stdin.write(lines);
  }

  /**
   * @param {object} request
   * @returns {Promise<any[]>} all messages up to the answer
   */
  #ask(request) {
    const { id } = /** @type {{ id?: number }} */ (request);
    const answered = new Promise((resolve) => {
      /** @type {any[]} */
      const messages = [];
      let rest = '';
      this.#onData = (chunk) => {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        messages.push(...lines.map((line) => JSON.parse(line)));
        if (messages.at(-1)?.id === id) resolve(messages);
      };
      this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    });
    return Promise.race([answered, this.#process.ended]);
  }
}
