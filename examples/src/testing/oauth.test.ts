// Tests of a protected server, with an authorization server for tests.
import { oauth } from '@tenon/mcp-auth/client';
import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { scriptedBrowser, startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { expect, test } from 'vitest';

const info = { name: 'test', version: '1.0.0' };

// #region server
async function protectedServer() {
  const authorization = await startTestAuthorizationServer({ user: 'ada' });
  const server = createServer({ name: 'notes', version: '1.0.0' })
    .tool('who', {}, (_, ctx) => `${ctx.auth?.id}`)
    .tool('erase', { scopes: ['notes:erase'] }, () => 'erased');
  const { issuer } = authorization;
  const serving = await serveHttp(server, {
    guard: (resource) =>
      new ResourceGuard({
        resource,
        authorizationServers: [issuer],
        verify: jwtVerifier(),
        scopes: { supported: ['notes:read'] },
      }),
  });
  const close = () => Promise.all([serving.close(), authorization.close()]);
  return { url: serving.url, authorization, close };
}
// #endregion

// #region token
test('rejects a caller when the token lacks a scope', async () => {
  const { url, authorization, close } = await protectedServer();
  const token = await authorization.issueToken({ subject: 'bob', audience: url, scopes: ['notes:read'] });
  const client = await connect(url, { info, headers: { authorization: `Bearer ${token}` } });
  expect((await client.callTool('who')).content).toMatchObject([{ text: 'bob' }]);
  await expect(client.callTool('erase')).rejects.toMatchObject({ status: 403 });
  await client.close();
  await close();
});
// #endregion

// #region user
test('signs in, and again when a tool requires another scope', async () => {
  const { url, authorization, close } = await protectedServer();
  const interaction = scriptedBrowser(); // follows every redirect; this user allows everything
  const auth = oauth({ client: { name: 'Notes agent' }, interaction });
  const client = await connect(url, { info, auth });
  expect((await client.callTool('who')).content).toMatchObject([{ text: 'ada' }]);
  expect((await client.callTool('erase')).content).toMatchObject([{ text: 'erased' }]);
  expect(authorization.tokenRequests('authorization_code')).toBe(2);
  await client.close();
  await close();
});
// #endregion
