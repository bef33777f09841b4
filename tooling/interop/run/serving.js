import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startProcesses } from '@tenon/tool-stress/proxy/processes.js';
import { startAuthorityPage } from '../servers/guarded/authority-page.js';
import { isGuarded } from './columns.js';
import { programOf } from './programs.js';

/** @typedef {{ url: string, sse?: string }} Addresses */
/** @typedef {{ addresses: Addresses, stderr: () => string, end: () => Promise<void> }} Serving */

const startTimeout = 10_000;
const patience = 2_000;

/**
 * Starts an HTTP server, and waits until it prints its address.
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
    // Keep reading after that line, so that the server never waits for a full pipe.
    const lines = createInterface({ input: child.stdout });
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

/**
 * Starts processes of our server that share Redis, behind a proxy that deals requests to them in turn.
 *
 * @param {import('./columns.js').Column} column
 * @param {number} processes
 * @returns {Promise<Serving>}
 */
export async function serveShared(column, processes) {
  const { command, args } = programOf(column);
  const page = isGuarded(column) ? await startAuthorityPage() : undefined;
  /** @type {Serving[]} */
  const started = [];
  const { url, sse, close } = await startProcesses(processes, async ({ redis, port }) => {
    const signIn = page === undefined ? [] : ['--public-port', `${port}`, '--authority', page.url];
    const serving = await serve({ command, args: [...args, '--redis', redis, ...signIn] });
    started.push(serving);
    return { ...serving.addresses, close: serving.end };
  });
  return {
    addresses: { url, ...(sse !== undefined && { sse }) },
    stderr: () => started.map(({ stderr }) => stderr()).join(''),
    async end() {
      await close();
      await page?.close();
    },
  };
}
