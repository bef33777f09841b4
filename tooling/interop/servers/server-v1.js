import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ListResourcesRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { defineFixture } from './define.js';
import { info, instructions } from './values.js';

/**
 * A server with the fixture, on the first generation of the official SDK. It has one client.
 *
 * @param {{ callsStream?: boolean }} [options] whether calls have streams of their own, on which the client can be asked
 */
export function makeServer({ callsStream = true } = {}) {
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
    log: ({ sessionId }, message) => server.sendLoggingMessage(/** @type {any} */ (message), sessionId),
    signal: (extra) => extra.signal,
    asking: (ask) => async (_args, extra) => ask.answer(await live(server, callsStream ? extra : {}, ask)),
    handle(_method, handler) {
      server.server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => handler(params));
    },
    release: (extra) => extra.closeSSEStream?.(),
    grown: () => {},
    world: { waits: 0, aborted: 0, grown: false },
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
  return server;
}

/**
 * Asks live: for the roots by the stream of no request in particular, for the rest by the stream of the call.
 *
 * @param {McpServer} server
 * @param {any} extra
 * @param {import('./define.js').Ask} ask
 */
function live({ server }, { requestId }, { kind, params }) {
  const options = requestId === undefined ? {} : { relatedRequestId: requestId };
  if (kind === 'form') return server.elicitInput(params, options);
  if (kind === 'url') return server.elicitInput({ mode: 'url', elicitationId: 'page-1', ...params }, options);
  if (kind === 'sample') return server.createMessage(params, options);
  return server.listRoots();
}
