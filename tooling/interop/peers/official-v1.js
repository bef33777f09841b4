import {
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
} from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { authOf, transports } from './official-connection.js';
import { signingIn, UserProvider } from './official-sign-in.js';
import { again } from './tenon-sign-in.js';

const openTransport = transports(StdioClientTransport, SSEClientTransport, StreamableHTTPClientTransport);

/**
 * The client of the first generation of the official SDK. It requests its newest revision only.
 *
 * @param {import('./peer.js').Connecting} connecting
 * @returns {Promise<import('./peer.js').Peer>}
 */
export async function connectOfficialV1({ target, name = 'interop', application, signIn, signInBy }) {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
  const client = new Client({ name, version: '1.0.0' }, { capabilities });
  answerWith(client, application);
  client.onerror = (error) => application.complaints.add(error.message);
  /** @type {string | undefined} */
  let revision;
  const auth = authOf({ target, application, signIn, signInBy }, providerOf);
  let transport = openTransport(target, auth);
  const signedIn =
    signInBy !== undefined
      ? again
      : signingIn(auth.authProvider, async ({ searchParams }) => {
          const code = searchParams.get('code');
          if (code === null) throw new Error(`The sign-in failed with ${searchParams.get('error')}.`);
          if (!(transport instanceof StdioClientTransport)) await transport.finishAuth(code);
        });
  await signedIn(async () => {
    await client.close();
    transport = openTransport(target, auth);
    /** @type {import('@modelcontextprotocol/sdk/shared/transport.js').Transport} */
    const watched = transport;
    const settle = watched.setProtocolVersion?.bind(transport);
    watched.setProtocolVersion = (version) => {
      revision = version;
      settle?.(version);
    };
    return client.connect(watched);
  });
  return {
    revision: () => revision,
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    ping: () => client.ping(),
    tools: () => everyPage((cursor) => client.listTools({ cursor }), 'tools'),
    resources: () => everyPage((cursor) => client.listResources({ cursor }), 'resources'),
    async resourcePage(cursor) {
      const { resources, nextCursor } = await client.listResources({ cursor });
      return { uris: resources.map((resource) => resource.uri), nextCursor };
    },
    templates: () => everyPage((cursor) => client.listResourceTemplates({ cursor }), 'resourceTemplates'),
    prompts: () => everyPage((cursor) => client.listPrompts({ cursor }), 'prompts'),
    call: (name, given, { onProgress, signal } = {}) =>
      signedIn(() =>
        client.callTool({ name, arguments: given }, undefined, {
          ...(onProgress && { onprogress: onProgress }),
          ...(signal && { signal }),
        }),
      ),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, given) => client.getPrompt({ name, arguments: /** @type {any} */ (given) }),
    complete: async (query) => (await client.complete(/** @type {any} */ (query))).completion,
    setLogLevel: (level) => client.setLoggingLevel(/** @type {any} */ (level)),
    watch: (filter, listener) => watch(client, filter, listener),
    async close() {
      // This client ends its session only on request.
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
      await client.close();
    },
  };
}

/**
 * @param {import('./sign-in.js').SignIn} signIn
 * @param {import('./browser.js').Browser} browser
 */
function providerOf(signIn, browser) {
  if (signIn.by === 'user') return new UserProvider(browser, { metadataUrl: signIn.metadataUrl });
  const { issuer: expectedIssuer, clientId, clientSecret = '', key = {} } = signIn;
  // This client does not read the scopes that a server asks for.
  const common = { clientId, expectedIssuer, scope: 'notes:read' };
  return signIn.by === 'secret'
    ? new ClientCredentialsProvider({ ...common, clientSecret })
    : new PrivateKeyJwtProvider({ ...common, privateKey: { ...key }, algorithm: 'ES256' });
}

/**
 * @param {Client} client
 * @param {import('./application.js').Application} application
 */
function answerWith(client, application) {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    application.answer(params.mode === 'url' ? 'url' : 'form', params),
  );
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => application.answer('sample', params));
  client.setRequestHandler(ListRootsRequestSchema, () => application.answer('roots', {}));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    application.logs.add(params),
  );
}

/**
 * @param {(cursor: string | undefined) => Promise<any>} list
 * @param {string} key
 */
async function everyPage(list, key) {
  const items = [];
  let cursor;
  do {
    const page = await list(cursor);
    items.push(...page[key]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/**
 * @param {Client} client
 * @param {import('./peer.js').WatchFilter} filter
 * @param {(change: string) => void} listener
 */
async function watch(client, { tools, prompts, uri }, listener) {
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => listener(params.uri));
  if (tools) client.setNotificationHandler(ToolListChangedNotificationSchema, () => listener('tools'));
  if (prompts) client.setNotificationHandler(PromptListChangedNotificationSchema, () => listener('prompts'));
  if (uri !== undefined) await client.subscribeResource({ uri });
  return async () => {
    if (uri !== undefined) await client.unsubscribeResource({ uri });
  };
}
