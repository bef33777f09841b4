import {
  Client,
  ClientCredentialsProvider,
  DpopSession,
  LOG_LEVEL_META_KEY,
  PrivateKeyJwtProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { authOf, transports } from './official-connection.js';
import { signingIn, UserProvider } from './official-sign-in.js';
import { officialTasks } from './official-tasks.js';
import { again } from './tenon-sign-in.js';

const openTransport = transports(StdioClientTransport, SSEClientTransport, StreamableHTTPClientTransport);

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

/**
 * The client of the second generation of the official SDK.
 *
 * @param {import('./peer.js').Connecting & { mode: 'legacy' | 'auto' | 'pin' }} connecting
 * @returns {Promise<import('./peer.js').Peer>}
 */
export async function connectOfficialV2(connecting) {
  const { target, application, signInBy } = connecting;
  const client = clientFor(connecting);
  answerWith(client, application);
  const auth = authOf(connecting, providerOf);
  let transport = openTransport(target, auth);
  const signedIn =
    signInBy !== undefined
      ? again
      : signingIn(auth.authProvider, async ({ searchParams }) => {
          if (!(transport instanceof StdioClientTransport)) await transport.finishAuth(searchParams);
        });
  await signedIn(() => {
    transport = openTransport(target, auth);
    return client.connect(transport);
  });
  const modern = client.getProtocolEra() === 'modern';
  /** @type {string | undefined} */
  let logLevel;
  /** @type {Promise<import('./peer.js').TaskPeer> | undefined} */
  let tasks;
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    ping: () => client.ping(),
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    async resourcePage(cursor) {
      // Without a cursor this client reads all pages itself, so the first page is requested directly.
      const { resources, nextCursor } =
        cursor === undefined
          ? await client.request({ method: 'resources/list', params: {} })
          : await client.listResources({ cursor });
      return { uris: resources.map((resource) => resource.uri), nextCursor };
    },
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    prompts: async () => (await client.listPrompts()).prompts,
    call: (name, given, { onProgress, signal } = {}) =>
      signedIn(() =>
        client.callTool(
          {
            name,
            ...(given && { arguments: /** @type {any} */ (given) }),
            ...(logLevel !== undefined && { _meta: { [LOG_LEVEL_META_KEY]: logLevel } }),
          },
          { ...(onProgress && { onprogress: onProgress }), ...(signal && { signal }) },
        ),
      ),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, given) =>
      client.getPrompt({ name, ...(given && { arguments: /** @type {any} */ (given) }) }),
    complete: async (query) => (await client.complete(/** @type {any} */ (query))).completion,
    async setLogLevel(level) {
      if (modern) logLevel = level;
      else await client.setLoggingLevel(/** @type {any} */ (level));
    },
    watch: (filter, listener) => watch(client, filter, listener),
    skills: () => loadAll(new SkillsClient(client)),
    skill: async (uri) => (await new SkillsClient(client).get(uri)).skill,
    directory: async (uri) => (await new SkillsClient(client).readDirectory(uri)).resources,
    tasks: () => {
      tasks ??= connectTasks(connecting);
      return tasks;
    },
    async close() {
      await (await tasks)?.close();
      await close(client, transport);
    },
  };
}

/**
 * @param {Client} client
 * @param {import('./application.js').Application} application
 */
function answerWith(client, application) {
  client.onerror = (error) => application.complaints.add(error.message);
  client.setRequestHandler('elicitation/create', ({ params }) =>
    application.answer(params.mode === 'url' ? 'url' : 'form', params),
  );
  client.setRequestHandler('sampling/createMessage', ({ params }) => application.answer('sample', params));
  client.setRequestHandler('roots/list', () => application.answer('roots', {}));
  client.setNotificationHandler('notifications/message', ({ params }) => application.logs.add(params));
}

/**
 * @param {import('./peer.js').Connecting & { mode: 'legacy' | 'auto' | 'pin' }} connecting
 */
function clientFor({ name = 'interop', revision, mode }) {
  return new Client(
    { name, version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: { mode: mode === 'pin' ? { pin: /** @type {string} */ (revision) } : mode },
      ...(mode === 'legacy' && revision !== undefined && { supportedProtocolVersions: [revision] }),
    },
  );
}

/**
 * Connects a client of its own to the same server, for tasks.
 *
 * @param {import('./peer.js').Connecting & { mode: 'legacy' | 'auto' | 'pin' }} connecting
 * @returns {Promise<import('./peer.js').TaskPeer>}
 */
async function connectTasks(connecting) {
  const { target, application } = connecting;
  const client = clientFor(connecting);
  const transport = openTransport(target, {});
  await client.connect(transport);
  const tasks = officialTasks({ client, transport, capabilities, application });
  return {
    ...tasks,
    async close() {
      await tasks.close();
      await close(client, transport);
    },
  };
}

/**
 * @param {Client} client
 * @param {import('@modelcontextprotocol/client').Transport} transport
 */
async function close(client, transport) {
  // This client ends its session only on request.
  if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
  await client.close();
}

/**
 * @param {import('./sign-in.js').SignIn} signIn
 * @param {import('./browser.js').Browser} browser
 */
function providerOf(signIn, browser) {
  if (signIn.by === 'user') {
    const session = signIn.dpop ? DpopSession.create() : undefined;
    return new UserProvider(browser, {
      metadataUrl: signIn.metadataUrl,
      ...(session !== undefined && { dpop: () => session }),
    });
  }
  const { issuer: expectedIssuer, clientId, clientSecret = '', key = {} } = signIn;
  return signIn.by === 'secret'
    ? new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer })
    : new PrivateKeyJwtProvider({ clientId, privateKey: { ...key }, algorithm: 'ES256', expectedIssuer });
}

/**
 * @param {SkillsClient} skills
 * @returns {Promise<import('./peer.js').LoadedSkill[]>}
 */
async function loadAll(skills) {
  const { skills: entries } = await skills.list();
  return Promise.all(
    entries.map(async (entry) => {
      const { body = '' } = await skills.read(entry);
      const root = entry.uri.slice(0, -'SKILL.md'.length);
      const listed = typeof entry.resources === 'string' ? [] : entry.resources;
      const files = await Promise.all(
        listed.map(async ({ uri }) => {
          const { text, bytes } = await skills.read(entry, uri);
          return [uri.slice(root.length), text ?? Buffer.from(bytes).toString('base64')];
        }),
      );
      return { uri: entry.uri, frontmatter: entry.frontmatter, body, files: Object.fromEntries(files) };
    }),
  );
}

/**
 * @param {Client} client
 * @param {import('./peer.js').WatchFilter} filter
 * @param {(change: string) => void} listener
 */
async function watch(client, { tools, prompts, uri }, listener) {
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => listener(params.uri));
  client.setNotificationHandler('notifications/tools/list_changed', () => listener('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => listener('prompts'));
  if (client.getProtocolEra() === 'modern') {
    const listening = await client.listen({
      ...(tools && { toolsListChanged: true }),
      ...(prompts && { promptsListChanged: true }),
      ...(uri !== undefined && { resourceSubscriptions: [uri] }),
    });
    return () => listening.close();
  }
  if (uri !== undefined) await client.subscribeResource({ uri });
  return async () => {
    if (uri !== undefined) await client.unsubscribeResource({ uri });
  };
}
