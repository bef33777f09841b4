import { connect } from '@tenon/mcp-client';
import { skills } from '@tenon/mcp-skills/client';
import { tasks } from '@tenon/mcp-tasks/client';
import { tenonAuth } from './tenon-sign-in.js';

/**
 * Our client.
 *
 * @param {import('./peer.js').Connecting} connecting
 * @returns {Promise<import('./peer.js').Peer>}
 */
export async function connectTenon({ target, revision, application, byFetch, signIn }) {
  const auth = signIn && tenonAuth(signIn, application.browser);
  const { place, options } = await targetOf(target, {
    revision,
    options: { ...(byFetch && { fetch }), ...(auth && { auth }) },
  });
  const used = skills({ onInvalid: (error) => application.complaints.add(error.message) });
  const client = await connect(place, {
    extensions: [used, tasks()],
    info: { name: 'interop', version: '1.0.0' },
    ...(revision !== undefined && { revision }),
    onElicit: (params) => application.answer('form', params),
    onElicitUrl: (params) => application.answer('url', params),
    onSample: (params) => application.answer('sample', params),
    roots: () => application.answer('roots', {}).roots,
    onError: (error, where) => application.complaints.add(`${where}: ${error}`),
    onLog: (message) => application.logs.add(message),
    // A server that the client starts ends with the first fault; a server over HTTP may lose a session.
    ...(target.transport === 'stdio' && { reconnect: false }),
    ...options,
  });
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
    async skills() {
      const loaded = [];
      for await (const entry of used.of(client).skills.list()) {
        const skill = await used.of(client).skills.load(entry);
        /** @type {Record<string, string>} */
        const files = {};
        for (const path of skill.paths ?? []) {
          const { text, bytes } = await skill.read(path);
          files[path] = text ?? Buffer.from(bytes).toString('base64');
        }
        loaded.push({ uri: entry.uri, frontmatter: skill.frontmatter, body: skill.body, files });
      }
      return loaded;
    },
    skill: (uri) => used.of(client).skills.get(uri),
    directory: (uri) => used.of(client).skills.directory(uri).all(),
    batch: (tools) =>
      Promise.all(client.batch(tools.map((name) => ({ method: 'tools/call', params: { name } })))),
    close: () => client.close(),
  };
}

/**
 * Returns the target to connect to, and the options for it.
 *
 * @param {import('./peer.js').Target} target
 * @param {{ revision: string | undefined, options: object }} given
 * @returns {Promise<{ place: any, options?: object }>}
 */
async function targetOf(target, { revision, options }) {
  if (target.transport === 'stdio') return { place: { command: target.command, args: target.args } };
  // Without a revision the client detects a server that has only HTTP+SSE.
  if (target.transport === 'http' || revision === undefined) return { place: target.url, options };
  const { sseTarget } = await import('@tenon/mcp-client/sse');
  return { place: sseTarget(target.url, options) };
}
