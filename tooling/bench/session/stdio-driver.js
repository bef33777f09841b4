import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { badArguments, checkResult, goodArguments } from './call.js';

const program = fileURLToPath(new URL('stdio-server.js', import.meta.url));
const failed = Buffer.from('"error"');
const newline = 10;

/** @typedef {{ count: number, cpu: number }} Sample calls done, and CPU microseconds they took */

/** Drives one server process over its pipes with raw lines; knows no more of the protocol than the lines it sends. */
export class StdioDriver {
  #child;
  #stdin;
  #wire;
  #id = 1;
  #before;
  #after;
  /** @type {(chunk: Buffer) => void} */
  #onData = () => {};
  /** @type {Promise<never>} rejects when the process ends */
  #ended;

  /**
   * @param {string} name of the server
   * @param {import('./call.js').Wire} wire
   * @param {string[]} flags for Node
   */
  constructor(name, wire, flags) {
    this.#wire = wire;
    this.#child = spawn(process.execPath, [...flags, program, name], {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    });
    const { stdin, stdout } = this.#child;
    if (stdin === null || stdout === null) throw new Error('the server has no pipes');
    stdout.on('data', (chunk) => this.#onData(chunk));
    stdin.on('error', () => {});
    this.#stdin = stdin;
    this.#ended = new Promise((_, reject) => {
      this.#child.on('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
    });
    this.#ended.catch(() => {});
    const [before = '', after = ''] = JSON.stringify(wire.request(987654321, goodArguments)).split(
      '987654321',
    );
    this.#before = before;
    this.#after = `${after}\n`;
  }

  /** Sends what comes before the first call. */
  async open() {
    const [first, ...more] = this.#wire.opening;
    const answer = await this.#ask(first);
    if (answer.result === undefined) throw new Error(`not opened: ${JSON.stringify(answer)}`);
    for (const message of more) this.#stdin.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * Throws unless the call is answered right.
   *
   * @param {boolean} validates the server refuses arguments that break the schema
   */
  async check(validates) {
    const answer = await this.#ask(this.#wire.request(this.#id++, goodArguments));
    checkResult(answer.result);
    if (!validates) return;
    const refusal = await this.#ask(this.#wire.request(this.#id++, badArguments));
    if (refusal.error === undefined && refusal.result?.isError !== true)
      throw new Error('bad arguments were taken');
  }

  /**
   * Calls for some time, with so many calls in flight.
   *
   * @param {number} ms
   * @param {number} depth
   * @returns {Promise<Sample>}
   */
  async run(ms, depth) {
    const before = await this.#cpu();
    const count = await Promise.race([this.#pump(ms, depth), this.#ended]);
    return { count, cpu: (await this.#cpu()) - before };
  }

  async close() {
    const exited = this.#child.exitCode === null ? once(this.#child, 'exit') : undefined;
    this.#stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 2000);
    await exited;
    clearTimeout(timer);
  }

  /**
   * @param {number} ms
   * @param {number} depth
   * @returns {Promise<number>}
   */
  #pump(ms, depth) {
    const stdin = this.#stdin;
    const end = performance.now() + ms;
    let waiting = 0;
    let done = 0;
    const send = (/** @type {number} */ count) => {
      let lines = '';
      for (let sent = 0; sent < count; sent++) lines += this.#before + this.#id++ + this.#after;
      waiting += count;
      stdin.write(lines);
    };
    return new Promise((resolve, reject) => {
      this.#onData = (chunk) => {
        if (chunk.includes(failed))
          reject(new Error(`an error was answered: ${chunk.toString('utf8').slice(0, 300)}`));
        const answers = lineCount(chunk);
        waiting -= answers;
        done += answers;
        if (performance.now() < end) send(answers);
        else if (waiting === 0) resolve(done);
      };
      send(depth);
    });
  }

  /**
   * @param {object | undefined} message
   * @returns {Promise<any>}
   */
  #ask(message) {
    const answer = new Promise((resolve) => {
      let text = '';
      this.#onData = (chunk) => {
        text += chunk;
        if (text.endsWith('\n')) resolve(JSON.parse(text));
      };
      this.#stdin.write(`${JSON.stringify(message)}\n`);
    });
    return Promise.race([answer, this.#ended]);
  }

  async #cpu() {
    this.#child.send('cpu');
    const [{ user, system }] = await Promise.race([once(this.#child, 'message'), this.#ended]);
    return user + system;
  }
}

/** @param {Buffer} chunk */
function lineCount(chunk) {
  let count = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) count++;
  return count;
}
