import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { wires } from '../../matrix/wires.js';
import { callsOf } from '../base/raw-caller.js';

/**
 * A loop without a client: parses the answers of a chunk, and sends the same number of new requests in one write.
 *
 * @param {import('../../matrix/wires.js').Lifecycle} lifecycle
 * @param {{ command: string, args: string[] }} child
 * @returns {Promise<import('../base/raw-caller.js').Caller>}
 */
export async function stdioClient(lifecycle, { command, args }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const loop = new RawLoop(child);
  const [first, ...more] = wires[lifecycle].opening;
  if (first !== undefined) await loop.ask(first);
  for (const message of more) child.stdin.write(`${JSON.stringify(message)}\n`);
  const nextCall = callsOf(lifecycle);
  return {
    call: () => loop.ask(nextCall()),
    run: (options) => loop.run(nextCall, options),
    async close() {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      child.stdin.end();
      await exited;
    },
  };
}

class RawLoop {
  #stdin;
  /** @type {(answer: { readonly result: import('../../matrix/wires.js').WireResult }) => void} */
  #onAnswer = () => {};
  #onChunk = () => {};

  /** @param {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, null>} child */
  constructor({ stdin, stdout }) {
    this.#stdin = stdin;
    let rest = '';
    stdout.setEncoding('utf8');
    stdout.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#onAnswer(JSON.parse(line));
      this.#onChunk();
    });
  }

  /**
   * @param {object} message
   * @returns {Promise<import('../../matrix/wires.js').WireResult>} the result
   */
  ask(message) {
    return new Promise((resolve) => {
      this.#onAnswer = ({ result }) => resolve(result);
      this.#onChunk = () => {};
      this.#stdin.write(`${JSON.stringify(message)}\n`);
    });
  }

  /**
   * @param {() => object} next returns a request
   * @param {{ ms: number, depth: number, check: (result: import('../../matrix/wires.js').WireResult) => void }} options
   * @returns {Promise<number>}
   */
  run(next, { ms, depth, check }) {
    return new Promise((resolve, reject) => {
      const end = performance.now() + ms;
      let done = 0;
      let waiting = 0;
      let out = '';
      const send = () => {
        waiting++;
        out += `${JSON.stringify(next())}\n`;
      };
      this.#onChunk = () => {
        if (out !== '') this.#stdin.write(out);
        out = '';
        if (waiting === 0) resolve(done);
      };
      this.#onAnswer = ({ result }) => {
        try {
          check(result);
        } catch (error) {
          reject(error);
        }
        done++;
        waiting--;
        if (performance.now() < end) send();
      };
      for (let n = 0; n < depth; n++) send();
      this.#onChunk();
    });
  }
}
