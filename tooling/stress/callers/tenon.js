import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import { idempotency } from '@tenon/mcp-idempotency/client';
import { tasks } from '@tenon/mcp-tasks/client';
import { clientOptions } from '../storm/callers/client-options.js';
import { watched } from '../storm/callers/wire-watch.js';
import { hasTasks } from './client-kinds.js';
import { callTime } from './connected-client.js';

/**
 * Connects our client, and watches its resource.
 *
 * @param {import('./connected-client.js').ClientSetup} setup
 * @returns {Promise<import('./connected-client.js').ConnectedClient>}
 */
export async function openTenon(setup) {
  const { clientKind, url, headers, uri, ledger, random } = setup;
  const { open } =
    clientKind.transport === 'sse'
      ? sseTarget(new URL('/sse', url), { headers })
      : httpTarget(url, { headers, random: random.next });
  const client = await connect(
    { open: async () => watched(await open(), ledger), restartable: true },
    { ...optionsOf(setup), extensions: [tasks({ onTask: setup.onTask }), idempotency()] },
  );
  let isClosing = false;
  const watch = () =>
    client.watch({ uris: [uri] }, (change) => {
      if (change.kind === 'resource') setup.onUpdated(change.uri);
      else if (change.kind === 'gap') {
        ledger.note('gaps reported in watches');
        // An update may be lost: a program reads the resource again, as after an update.
        setup.onUpdated(uri);
      } else if (change.kind === 'ended' && !isClosing) {
        ledger.note('watches that ended and began again');
        watchAgain().catch((error) => setup.onError(error, 'watch'));
      }
    });
  // A watch ends when the server refuses the subscription in a new session, such as while the state is away.
  const watchAgain = async () => {
    while (!isClosing && client.state !== 'closed') {
      await pause(500);
      try {
        await watch();
        return;
      } catch {
        ledger.note('watches that could not begin again yet');
      }
    }
  };
  try {
    await watch();
    // In 2025-11-25 the client runs a call as a task if the list says so.
    if (hasTasks(clientKind)) await client.tools().all();
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    call: (name, given, options) => client.callTool(name, given, options),
    read: (uri) => client.readResource(uri),
    setLogLevel: (level) => client.setLogLevel(level),
    batch: (calls) =>
      client.batch(
        calls.map(({ name, given }) => ({
          method: 'tools/call',
          params: { name, arguments: /** @type {any} */ (given) },
        })),
      ),
    tasks: client.tasks,
    close: () => {
      isClosing = true;
      return client.close();
    },
  };
}

/**
 * @param {import('./connected-client.js').ClientSetup} setup
 * @returns {import('@tenon/mcp-client').ClientOptions}
 */
function optionsOf({ clientKind: { revision }, onReplaced, ...setup }) {
  return {
    ...clientOptions({ ...setup, revision }),
    limits: { requestTimeout: callTime },
    reconnect: { delay: 100, maxDelay: 1_000, attempts: 10 },
    onStateChange: ({ state, reason }) => {
      if (state === 'reconnecting') onReplaced(reason);
    },
  };
}
