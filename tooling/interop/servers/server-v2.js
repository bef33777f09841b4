import {
  completable,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { defineFixture } from './define.js';
import { info, instructions } from './values.js';

/**
 * Tells listeners of changes, where a server object does not live long enough to do so.
 *
 * @typedef {Pick<import('@modelcontextprotocol/server').ServerNotifier, 'toolsChanged' | 'resourceUpdated'>} Notifier
 */

/**
 * A server with the fixture, on the second generation of the official SDK. It has one client, or one request.
 *
 * @param {import('./define.js').World} world
 * @param {Notifier} [notifier]
 */
export function makeServer(world, notifier) {
  const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true } };
  const server = new McpServer({ name: 'fixture-v2', ...info }, { instructions, capabilities });
  const subscribed = new Set();
  defineFixture(server, dialectOf({ server, subscribed, world, notifier }));
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return server;
}

/** @returns {import('./define.js').World} */
export function makeWorld() {
  return { waits: 0, aborted: 0, grown: false };
}

/**
 * @param {object} surroundings
 * @param {McpServer} surroundings.server
 * @param {Set<string>} surroundings.subscribed
 * @param {import('./define.js').World} surroundings.world
 * @param {Notifier | undefined} surroundings.notifier
 * @returns {import('./define.js').Dialect}
 */
function dialectOf({ server, subscribed, world, notifier }) {
  return {
    world,
    grown: () => notifier?.toolsChanged(),
    release: ({ http }) => http?.closeSSE?.(),
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
      if (notifier !== undefined) return notifier.resourceUpdated(uri);
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
