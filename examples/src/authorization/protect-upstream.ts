// A protected server that calls another protected server, with a token of its own.
// #region upstream
import { clientCredentials } from '@tenon/mcp-auth/client';
import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { connect, textOf } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';

const { PORT = '3001', ISSUER = 'https://login.example.com' } = process.env;
const { UPSTREAM = 'http://127.0.0.1:3000/mcp', CLIENT_SECRET = 'a secret' } = process.env;

const notes = await connect(UPSTREAM, {
  info: { name: 'digest', version: '1.0.0' },
  auth: clientCredentials({ clientId: 'digest', clientSecret: CLIENT_SECRET, issuer: ISSUER }),
});

const server = createServer({ name: 'digest', version: '1.0.0' }).tool('digest', {}, async (_, { auth }) => {
  // The caller's token is for this server. The notes are read with this server's own token.
  const { content } = await notes.callTool('read_note');
  return `${textOf(content)}, for ${auth?.id}`;
});

export const serving = await serveHttp(server, {
  port: Number(PORT),
  guard: (resource) => new ResourceGuard({ resource, authorizationServers: [ISSUER], verify: jwtVerifier() }),
});
// #endregion

export async function stop(): Promise<void> {
  await serving.close();
  await notes.close();
}
