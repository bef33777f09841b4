import { startProcesses } from '@tenon/tool-stress/proxy/processes.js';
import { startServerProgram } from '../../suite/services/server-program.js';
import { startAuthorityPage } from '../servers/guarded/authority-page.js';
import { isGuarded } from './columns.js';
import { programOf } from './programs.js';

/** @typedef {import('../../suite/services/server-program.js').ServerProgram} Serving */

/**
 * Starts an HTTP server.
 *
 * @param {import('./programs.js').Program} program
 * @returns {Promise<Serving>}
 */
export function serve({ command, args }) {
  return startServerProgram(command, args, { endTime: 2_000 });
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
      const [status = 0] = await close();
      await page?.close();
      return status;
    },
  };
}
