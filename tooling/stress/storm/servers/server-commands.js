import { serverPort } from '@tenon/mcp-protocol';
import { RpcError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { complain } from '../../children/complaints.js';
import { holdings, sockets } from '../../children/holdings.js';
import { mostCalls } from '../findings/answers.js';
import { CountedEvents } from '../findings/counted-events.js';
import { familyOf } from '../findings/known-errors.js';
import { stormServer } from './storm-server.js';

/**
 * The clock of a process, and the errors that are reported in it.
 *
 * @typedef {object} Shared
 * @property {import('../../children/counted-clock.js').CountedClock} clock
 * @property {import('../../children/complaints.js').SortedComplaints} found
 */

/**
 * Returns the commands for the server of a storm.
 *
 * @param {Shared} shared
 * @param {(server: ReturnType<typeof stormServer>) => void} [onServer] receives the server, for callers in the same process
 */
export function serverCommands({ clock, found }, onServer = () => {}) {
  const handled = new Uint8Array(mostCalls);
  const events = new CountedEvents();
  let sessions = 0;
  /** @type {{ server: ReturnType<typeof stormServer>, http: import('@tenon/mcp-server/http').HttpServing } | undefined} */
  let serving;
  const onError = (/** @type {unknown} */ error, /** @type {string} */ where) => {
    const isTyped = familyOf(error) !== undefined || error instanceof RpcError;
    complain(isTyped ? found.typed : found.untyped, error, where);
  };
  return {
    /** @param {import('../scenarios.js').ServerLimits} given */
    async begin({ limits, httpLimits }) {
      const server = stormServer(handled, { clock, onError, limits });
      const port = server[serverPort];
      const { accept } = port;
      port.accept = (...connection) => {
        const endpoint = accept(...connection);
        sessions++;
        endpoint.onClosed(() => sessions--);
        return endpoint;
      };
      const mounts = [sseMount(server, { clock })];
      const http = await serveHttp(server, { clock, onError, limits: httpLimits, mounts });
      serving = { server, http };
      onServer(server);
      return { url: http.url };
    },
    tick: (/** @type {{ tick: number }} */ { tick }) => serving?.server.log('info', { tick }),
    announce: () => serving?.server.resourceListChanged(),
    open: () => ({ sessions, sockets: sockets() }),
    handled: (/** @type {{ last: number }} */ { last }) => handled.slice(0, last + 1),
    async close() {
      await serving?.http.close();
      await serving?.server.close();
      serving = undefined;
      return { replays: events.replays, replayed: events.replayed, incomplete: events.incomplete };
    },
    left: async () => ({ ...(await holdings()), timers: clock.waiting, found }),
  };
}
