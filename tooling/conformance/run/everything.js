import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProcesses } from '@tenon/tool-stress/proxy/processes.js';
import { start } from './children.js';

/** Milliseconds in which the server must start, or end. */
const patience = 10_000;

/** @param {'server' | 'client'} side */
function programOf(side) {
  return fileURLToPath(new URL(`../../../apps/everything-${side}/dist/main.js`, import.meta.url));
}

/** The command with which the suite starts our client; `exec`, because the suite cannot end a child of its shell. */
export const clientCommand = `exec '${process.execPath}' '${programOf('client')}'`;

/**
 * Our server, in one process or several.
 *
 * @typedef {object} Serving
 * @property {string} url contains localhost, which the suite requires
 * @property {() => string} said returns the stderr of all processes
 * @property {() => readonly number[]} dealt returns the number of requests that each of several processes received
 * @property {() => Promise<string | undefined>} close resolves with a text if a process did not end
 */

/**
 * Starts our server: one process, or several that share Redis, behind a proxy that deals requests to them in turn.
 *
 * @param {number} processes
 * @returns {Promise<Serving>}
 */
export async function startServer(processes) {
  let complaints = '';
  const complain = (/** @type {string} */ text) => {
    complaints = (complaints + text).slice(-8_000);
  };
  const { url, close, dealt } =
    processes === 1
      ? { ...(await startProcess([], complain)), dealt: () => [] }
      : await startProcesses(processes, ({ redis }) => startProcess(['--redis', redis], complain));
  return {
    url,
    said: () => complaints.trim(),
    dealt,
    close: async () => [await close()].flat().find((trouble) => trouble !== undefined),
  };
}

/**
 * @param {readonly string[]} args
 * @param {(text: string) => void} onStderr
 */
async function startProcess(args, onStderr) {
  const server = start(process.execPath, [programOf('server'), '--http', '0', ...args]);
  server.child.stderr.on('data', onStderr);
  const timer = setTimeout(server.kill, patience);
  const line = await Promise.race([firstLine(server.child.stdout), server.ended.then(() => undefined)]);
  clearTimeout(timer);
  if (line === undefined) throw new Error(`The everything-server did not start.\n${server.output()}`);
  const url = new URL(JSON.parse(line).url);
  url.hostname = 'localhost';
  const close = async () => {
    const stubborn = setTimeout(server.kill, patience);
    server.child.kill('SIGTERM');
    const status = await server.ended;
    clearTimeout(stubborn);
    return status === 0 ? undefined : `the everything-server ended with ${status} at SIGTERM`;
  };
  return { url: url.href, close };
}

/**
 * @param {import('node:stream').Readable} stream
 * @returns {Promise<string>}
 */
function firstLine(stream) {
  return new Promise((resolve) => {
    createInterface({ input: stream }).once('line', resolve);
  });
}
