import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** @typedef {{ url: string, sse?: string }} Addresses */
/** @typedef {{ addresses: Addresses, stderr: () => string, end: () => Promise<void> }} Serving */

const startTimeout = 10_000;
const patience = 2_000;

/**
 * Starts a server that is reached over HTTP, and waits until it says where.
 *
 * @param {import('./programs.js').Program} program
 * @returns {Promise<Serving>}
 */
export async function serve({ command, args }) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-4_000);
  });
  const end = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    await closed;
    clearTimeout(timer);
  };
  const late = setTimeout(() => child.kill('SIGKILL'), startTimeout);
  try {
    // What comes after the line is read as well, so that the server never waits for a full pipe.
    const lines = createInterface({ input: child.stdout });
    const addresses = await new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        if (line.startsWith('{"url":')) resolve(JSON.parse(line));
      });
      closed.then(() => reject(new Error(`the server did not start\n${stderr}`)), reject);
    });
    return { addresses, stderr: () => stderr, end };
  } finally {
    clearTimeout(late);
  }
}
