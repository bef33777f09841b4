// One node of the cluster, in a process of its own.

import process from 'node:process';
import { otherBounds } from '@tenon/foundation';
import { isSuspension, RemoteError, RpcError, SessionError, TransportError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { StateError } from '@tenon/mcp-state';
import { serveCommands } from '../children/commands.js';
import { holdings } from '../children/holdings.js';
import { nodeState } from '../state/node-state.js';
import { authentication } from './authentication.js';
import { clusterServer, rate } from './cluster-server.js';
import { Journal } from './journal.js';

/** Errors that nodes report while processes and connections end. */
const families = [RemoteError, RpcError, SessionError, TransportError, StateError];

serveCommands({
  begin,
  holdings,
});

/** @param {{ node: number } & import('./server-node.js').NodeSettings} given */
async function begin({ node, folder, url, ...given }) {
  const journal = new Journal(folder, node);
  const onError = (/** @type {unknown} */ error, /** @type {string} */ where) =>
    journal.complain(isExpected(error, where) ? 'typed' : 'untyped', lineOf(error, where));
  const onUnhandled = (/** @type {unknown} */ reason) => {
    if (!isSuspension(reason)) journal.complain('unhandled', lineOf(reason, 'unhandled'));
  };
  process.on('unhandledRejection', onUnhandled);
  process.on('uncaughtException', onUnhandled);
  const state = nodeState(given.state);
  /** @type {import('@tenon/mcp-server').ServerOptions} */
  const options = {
    state,
    ...(given.stateKey !== undefined && { stateKeys: [given.stateKey] }),
    onError,
    rates: given.rates !== false && {
      calls: rate,
      by: ({ principal, from }) => principal?.id ?? from.clientInfo?.name,
    },
    limits: {
      requestTotal: 8_000,
      handlerTime: 20_000,
      drain: 5_000,
      // All callers of a storm that are not signed in have one address.
      stateBytesPerCaller: 2 ** 30,
      ...given.serverLimits,
    },
  };
  const server = clusterServer(journal, options, given);
  const http = await serveHttp(server, {
    authenticate: authentication({ url, state }),
    onError,
    // Several times the interval in which the proxy looks at /readyz.
    drainDelay: 1_000,
    mounts: [sseMount(server, { onError })],
    limits: {
      sessionIdle: 30_000,
      keepAlive: 2_000,
      drain: 5_000,
      ...otherBounds({ retry: 200 }),
      ...given.httpLimits,
    },
  });
  // A run that was killed leaves no process behind.
  const orphaned = () => process.exit(1);
  process.once('disconnect', orphaned);
  process.once('SIGTERM', async () => {
    process.off('disconnect', orphaned);
    await http.close();
    await server.close();
    await state.close();
    process.disconnect();
  });
  return { port: Number(new URL(http.url).port) };
}

/**
 * True for an error of a family, and for the reports of calls of ended processes, and of rates that this process counts alone.
 *
 * @param {unknown} error
 * @param {string} where
 */
function isExpected(error, where) {
  return (
    where === 'rates' ||
    where === 'continued call' ||
    where === 'lost call' ||
    (error instanceof Error && error.name === 'StreamLostError') ||
    families.some((family) => error instanceof family)
  );
}

/**
 * @param {unknown} error
 * @param {string} where
 */
function lineOf(error, where) {
  const text =
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  return `${where}: ${text}`.replace(/\d{4,}|[\w-]{20,}/g, '#').slice(0, 300);
}
