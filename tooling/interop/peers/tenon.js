import { connect } from '@tenon/mcp-client';

/**
 * Our client.
 *
 * @param {import('./peer.js').Connecting} connecting
 * @returns {Promise<import('./peer.js').Peer>}
 */
export async function connectTenon({ command, args, revision, application }) {
  const client = await connect(
    { command, args },
    {
      info: { name: 'interop', version: '1.0.0' },
      ...(revision !== undefined && { revision }),
      onElicit: (params) => application.answer('form', params),
      onElicitUrl: (params) => application.answer('url', params),
      onSample: (params) => application.answer('sample', params),
      roots: () => application.answer('roots', {}).roots,
      onError: (error, where) => application.complaints.add(`${where}: ${error}`),
      onLog: (message) => application.logs.add(message),
      reconnect: false,
    },
  );
  return {
    revision: () => client.revision,
    server: () => client.server,
    instructions: () => client.instructions,
    capabilities: () => client.capabilities,
    ping: () => client.ping(),
    tools: () => client.tools().all(),
    resources: () => client.resources().all(),
    async resourcePage(cursor) {
      const { items, nextCursor } = await client.resources().page(cursor);
      return { uris: items.map((item) => item.uri), nextCursor };
    },
    templates: () => client.resourceTemplates().all(),
    prompts: () => client.prompts().all(),
    call: (name, given, options) => client.callTool(name, given, options),
    read: (uri) => client.readResource(uri),
    prompt: (name, given) => client.getPrompt(name, /** @type {any} */ (given)),
    complete: (query) => client.complete(/** @type {any} */ (query)),
    setLogLevel: (level) => client.setLogLevel(/** @type {any} */ (level)),
    async watch({ uri, ...lists }, listener) {
      const filter = uri === undefined ? lists : { ...lists, uris: [uri] };
      const watch = await client.watch(filter, (change) =>
        listener(change.kind === 'resource' ? change.uri : change.kind),
      );
      return () => watch.close();
    },
    close: () => client.close(),
  };
}
