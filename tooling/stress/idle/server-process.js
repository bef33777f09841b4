// The server of many idle peers, in a process of its own.
import { otherBounds } from '@tenon/foundation';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { serveCommands } from '../children/commands.js';
import { complain, unhandled } from '../children/complaints.js';
import { holdings } from '../children/holdings.js';

const found = unhandled();
const onError = (/** @type {unknown} */ error, /** @type {string} */ where) => complain(found, error, where);
const server = createServer(
  { name: 'idle', version: '1.0.0' },
  { onError, rates: false, limits: otherBounds({ listenStreamsPerPrincipal: 10_000 }) },
);
server.tool('first', { description: 'A tool' }, () => 'done');
let added = 0;
/** @type {import('@tenon/mcp-server/http').HttpServing | undefined} */
let http;

serveCommands({
  begin: async () => {
    http = await serveHttp(server, { onError, limits: { sessionsPerPrincipal: 10_000 } });
    return { url: http.url };
  },
  holdings,
  change: () => {
    server.tool(`tool-${++added}`, { description: 'One more tool' }, () => 'done');
  },
  close: async () => {
    await http?.close();
    return found;
  },
});
