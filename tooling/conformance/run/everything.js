import { fileURLToPath } from 'node:url';
import { startProcesses } from '@tenon/tool-stress/proxy/processes.js';
import { startServerProgram } from '../../suite/services/server-program.js';

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
  const options = { onStderr };
  const server = await startServerProgram(
    process.execPath,
    [programOf('server'), '--http', '0', ...args],
    options,
  );
  const url = new URL(server.addresses.url);
  url.hostname = 'localhost';
  const close = async () => {
    const status = await server.end();
    return status === 0 ? undefined : `the everything-server ended with ${status} at SIGTERM`;
  };
  return { url: url.href, close };
}
