// The fixture on the first generation of the official SDK.
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ListResourcesRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { defineFixture } from './define.js';
import { info, instructions } from './values.js';

const server = new McpServer(
  { name: 'fixture-v1', ...info },
  { instructions, capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } },
);
const subscribed = new Set();

defineFixture(/** @type {any} */ (server), {
  completable: /** @type {any} */ (completable),
  ResourceTemplate: /** @type {any} */ (ResourceTemplate),
  async progress(extra, step) {
    const progressToken = extra._meta?.progressToken;
    if (progressToken === undefined) return;
    const params = { progressToken, ...step };
    await extra.sendNotification({ method: 'notifications/progress', params });
  },
  log: (_extra, message) => server.sendLoggingMessage(/** @type {any} */ (message)),
  signal: (extra) => extra.signal,
  asking: (ask) => async () => ask.answer(await live(ask)),
  handle(_method, handler) {
    server.server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => handler(params));
  },
  async updated(_extra, uri) {
    if (subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
  },
});

server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
  subscribed.add(params.uri);
  return {};
});
server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
  subscribed.delete(params.uri);
  return {};
});

await server.connect(new StdioServerTransport());

/** @param {import('./define.js').Ask} ask */
function live({ kind, params }) {
  if (kind === 'form') return server.server.elicitInput(params);
  if (kind === 'url') return server.server.elicitInput({ mode: 'url', elicitationId: 'page-1', ...params });
  if (kind === 'sample') return server.server.createMessage(params);
  return server.server.listRoots();
}
