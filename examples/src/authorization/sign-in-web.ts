// A web application in which users sign in at an MCP server. All state is in `store`: if several processes share a store, one can
// finish a sign-in that another one began.
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import {
  AuthError,
  clientMetadataDocument,
  MemoryAuthStore,
  oauth,
  webInteraction,
} from '@tenon/mcp-auth/client';
import { connect, textOf } from '@tenon/mcp-client';
import type { server } from './protect-server.js';

const { SERVER = 'http://127.0.0.1:3000/mcp', ORIGIN = 'https://app.example.com' } = process.env;
const redirectUri = `${ORIGIN}/callback`;

// #region document
// The client metadata document: authorization servers read it, so the client need not be registered.
const document = clientMetadataDocument({
  url: `${ORIGIN}/client.json`,
  name: 'Notes on the web',
  redirectUris: [redirectUri],
});
// #endregion

// #region provider
const store = new MemoryAuthStore();

/** @param session - the value of the browser's cookie. A sign-in is finished in the session in which it began. */
function providerFor(session: string) {
  return oauth({
    client: { name: 'Notes on the web', metadataUrl: document.url },
    interaction: webInteraction({ redirectUri, session }),
    store,
    account: session,
  });
}
// #endregion

// #region call
async function showNote(session: string, response: ServerResponse): Promise<void> {
  const info = { name: 'notes-on-the-web', version: '1.0.0' };
  const client = await connect<typeof server>(SERVER, { info, auth: providerFor(session) });
  const { content } = await client.callTool('read_note').finally(() => client.close());
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(textOf(content));
}

function showFailure(error: unknown, response: ServerResponse): void {
  const location = error instanceof AuthError ? error.authorizationUrl : undefined;
  if (location !== undefined) response.writeHead(302, { location }).end();
  else response.writeHead(error instanceof AuthError ? 403 : 500).end('This did not work.');
}
// #endregion

// #region callback
async function finishSignIn(session: string, path: string, response: ServerResponse): Promise<void> {
  await providerFor(session).finish(path);
  response.writeHead(302, { location: '/' }).end();
}
// #endregion

async function answer(path: string, session: string, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(path, ORIGIN);
  if (pathname === '/') await showNote(session, response);
  else if (pathname === '/callback') await finishSignIn(session, path, response);
  else if (pathname === '/client.json') response.writeHead(200, document.headers).end(document.text);
  else response.writeHead(404).end();
}

export const app = createServer(({ url = '/', headers }, response) => {
  // With this prefix browsers accept the cookie from this host only.
  const session = /__Host-session=([\w-]{36})/.exec(headers.cookie ?? '')?.[1] ?? randomUUID();
  response.setHeader('set-cookie', `__Host-session=${session}; Path=/; HttpOnly; Secure; SameSite=Lax`);
  answer(url, session, response).catch((error: unknown) => showFailure(error, response));
});

app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
