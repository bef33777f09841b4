// The fixture on the second generation of the official SDK, in the handshake revisions and the stateless one.
import {
  completable,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { defineFixture } from './define.js';
import { info, instructions } from './values.js';

serveStdio(
  () => {
    const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true } };
    const server = new McpServer({ name: 'fixture-v2', ...info }, { instructions, capabilities });
    const subscribed = new Set();
    defineFixture(server, dialectOf(server, subscribed));
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      subscribed.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      subscribed.delete(params.uri);
      return {};
    });
    return server;
  },
  { onerror: (error) => console.error(error.message) },
);

/**
 * @param {McpServer} server
 * @param {Set<string>} subscribed
 * @returns {import('./define.js').Dialect}
 */
function dialectOf(server, subscribed) {
  return {
    completable,
    ResourceTemplate,
    async progress({ mcpReq }, step) {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken === undefined) return;
      const params = { progressToken, ...step };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
    log: ({ mcpReq }, { level, data, logger }) => mcpReq.log(level, data, logger),
    signal: ({ mcpReq }) => mcpReq.signal,
    asking: (ask) => (_args, ctx) => {
      const view = inputResponse(ctx.mcpReq.inputResponses, ask.kind);
      if (view.kind === 'missing') return inputRequired({ inputRequests: { [ask.kind]: embedded(ask) } });
      return ask.answer(answered(view));
    },
    handle(method, handler) {
      server.server.setRequestHandler(/** @type {'resources/list'} */ (method), ({ params }) =>
        handler(params),
      );
    },
    async updated({ mcpReq }, uri) {
      // In the stateless revision, whose requests have an envelope, the SDK itself knows who listens.
      if (mcpReq.envelope !== undefined || subscribed.has(uri))
        await server.server.sendResourceUpdated({ uri });
    },
  };
}

/** @param {import('./define.js').Ask} ask */
function embedded({ kind, params }) {
  if (kind === 'form') return inputRequired.elicit(params);
  if (kind === 'url') return inputRequired.elicitUrl(params);
  if (kind === 'sample') return inputRequired.createMessage(params);
  return inputRequired.listRoots();
}

/** @param {any} view */
function answered({ kind, ...rest }) {
  if (kind === 'sampling') return rest.result;
  return rest;
}
