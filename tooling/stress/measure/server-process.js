// The server with sessions in Redis that `measure.js` measures, in a process of its own.
import { otherBounds } from '@tenon/foundation';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { redisState } from '@tenon/mcp-state-redis';
import { serveCommands } from '../children/commands.js';
import { complain, unhandled } from '../children/complaints.js';
import { holdings } from '../children/holdings.js';

const found = unhandled();
const onError = (/** @type {unknown} */ error, /** @type {string} */ where) => complain(found, error, where);
let added = 0;
/** @type {(() => Promise<void>) | undefined} */
let close;
/** @type {(name: string) => void} */
let addTool = () => {};

serveCommands({
  begin: async (/** @type {{ redis: string }} */ { redis }) => {
    const state = redisState({ url: redis, ...otherBounds({ calls: 100_000 }) });
    const limits = otherBounds({ listenStreams: 100_000, listenStreamsPerPrincipal: 100_000 });
    const server = createServer(
      { name: 'measured', version: '1.0.0' },
      { state, onError, rates: false, limits },
    );
    server.tool('steps', { description: 'A tool' }, async (_, ctx) => {
      await ctx.progress(1);
      return 'done';
    });
    addTool = (name) => void server.tool(name, { description: 'One more tool' }, () => 'done');
    const http = await serveHttp(server, {
      onError,
      limits: { sessions: 1_000_000, sessionsPerPrincipal: 1_000_000 },
    });
    close = async () => {
      await http.close();
      await server.close();
      await state.close();
    };
    return { url: http.url };
  },
  holdings,
  change: () => addTool(`tool-${++added}`),
  close: async () => {
    await close?.();
    return found;
  },
});
