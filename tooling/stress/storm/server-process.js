// The server of the storm, in a process of its own.
import { isSuspension, RemoteError, RpcError, SessionError, TransportError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { serveCommands } from '../children/commands.js';
import { complain, unhandled } from '../children/complaints.js';
import { CountedClock } from '../children/counted-clock.js';
import { holdings, sockets } from '../children/holdings.js';
import { mostCalls } from './answers.js';
import { CountedEvents } from './counted-events.js';
import { stormServer } from './storm-server.js';

/** @typedef {Awaited<ReturnType<typeof begin>>} Serving */

const found = { unhandled: unhandled(isSuspension), untyped: {}, typed: {} };
const clock = new CountedClock();
const handled = new Uint8Array(mostCalls);
const events = new CountedEvents();
let sessions = 0;
/** @type {Serving | undefined} */
let serving;

serveCommands({
  begin: async () => {
    serving = await begin();
    return { url: serving.http.url };
  },
  tick: ({ tick }) => serving?.server.log('info', { tick }),
  announce: () => serving?.server.resourceListChanged(),
  open: () => ({ sessions, sockets: sockets() }),
  holdings,
  handled: ({ last }) => handled.slice(0, last + 1),
  close: async () => {
    await serving?.http.close();
    serving = undefined;
    return { found, replays: events.replays, replayed: events.replayed, incomplete: events.incomplete };
  },
  left: async () => ({ ...(await holdings()), timers: clock.waiting }),
});

async function begin() {
  const onError = (/** @type {unknown} */ error, /** @type {string} */ where) => {
    const isTyped = [RemoteError, RpcError, SessionError, TransportError].some(
      (family) => error instanceof family,
    );
    complain(isTyped ? found.typed : found.untyped, error, where);
  };
  // An input request without an answer ends soon, and so does a session that its client lost. Deadlines of handlers are
  // checked often, so that the last check follows the last handler soon.
  const limits = { requestTotal: 6_000, handlerTime: 20_000 };
  const server = stormServer(handled, { clock, onError, limits });
  countSessions(server);
  const http = await serveHttp(server, {
    clock,
    onError,
    limits: { keepAlive: 1_000, sessionIdle: 6_000, retry: 200, drain: 2_000 },
  });
  return { server, http };
}

/** @param {ReturnType<typeof stormServer>} server */
function countSessions(server) {
  const accept = server.accept.bind(server);
  server.accept = (...given) => {
    const endpoint = accept(...given);
    sessions++;
    endpoint.onClosed(() => sessions--);
    return endpoint;
  };
}
