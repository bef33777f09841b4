import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** Milliseconds in which a program must print its addresses. */
const startTime = 10_000;

/**
 * Starts a server that prints its addresses as a line of JSON, `{"url": ..., "sse": ...}`, and waits for that line. The program ends with
 * this process.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ endTime?: number, cwd?: string, onStderr?: (text: string) => void }} [options] milliseconds that it has to end after SIGTERM;
 *   `onStderr` receives what it prints
 * @returns {Promise<import('./server-program.js').ServerProgram>}
 */
export async function startServerProgram(command, args, { endTime = 10_000, cwd, onStderr } = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd });
  const kill = () => void child.kill('SIGKILL');
  process.on('exit', kill);
  const closed = once(child, 'close').finally(() => process.off('exit', kill));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-4_000);
    onStderr?.(text);
  });
  const end = async () => {
    child.kill('SIGTERM');
    const stubborn = setTimeout(kill, endTime);
    const [code, signal] = await closed;
    clearTimeout(stubborn);
    return code ?? signal;
  };
  const late = setTimeout(kill, startTime);
  try {
    // It is read after that line too, so that the server never waits for a full pipe.
    const lines = createInterface({ input: child.stdout });
    /** @type {{ url: string, sse?: string }} */
    const addresses = await new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        if (line.startsWith('{"url":')) resolve(JSON.parse(line));
      });
      closed.then(() => reject(new Error(`The server did not start.\n${stderr}`)), reject);
    });
    return { addresses, stderr: () => stderr, end };
  } finally {
    clearTimeout(late);
  }
}
