import { oauth } from '@tenon/mcp-auth/client';
import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createHost, type ServerState } from '@tenon/mcp-host';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { scriptedBrowser, startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { expect, it, onTestFinished } from 'vitest';

/** A protected server in a host, beside one without a sign-in. */
async function stage() {
  const authorization = await startTestAuthorizationServer({ user: 'ada' });
  let isRevoked = false;
  const server = createServer({ name: 'notes', version: '1.0.0' })
    .tool('who', {}, (_, ctx) => `${ctx.auth?.id}`)
    .tool('erase', { scopes: ['notes:erase'] }, () => 'erased');
  const verify = jwtVerifier();
  const serving = await serveHttp(server, {
    guard: (resource) =>
      new ResourceGuard({
        resource,
        authorizationServers: [authorization.issuer],
        verify: async (...facts) => (isRevoked ? undefined : verify(...facts)),
        scopes: { supported: ['notes:read'] },
      }),
  });
  const browser = scriptedBrowser();
  const host = createHost({
    info: { name: 'host', version: '1.0.0' },
    servers: {
      notes: { target: serving.url, auth: oauth({ client: { name: 'Host' }, interaction: browser }) },
      open: memoryTarget(createServer({ name: 'open', version: '1' }).tool('a', {}, () => 'a')),
    },
    policy: () => 'allow',
  });
  onTestFinished(async () => {
    await host.close();
    await serving.close();
    await authorization.close();
  });
  const states: ServerState['status'][] = [];
  host.servers.onStateChange(({ name, status }) => name === 'notes' && states.push(status));
  const revoke = () => {
    isRevoked = true;
  };
  return { host, browser, states, revoke };
}

it('opens no sign-in page before the user asks for it, and goes on with the other servers', async () => {
  const { host, browser, states } = await stage();
  expect((await host.tools()).map(({ name }) => name)).toEqual(['open__a']);
  expect(host.servers.get('notes')).toMatchObject({
    status: 'needs-sign-in',
    reason: expect.stringMatching(/sign in/),
  });
  await expect(host.callTool({ server: 'notes', tool: 'who' })).rejects.toMatchObject({
    reason: 'sign-in-needed',
    server: 'notes',
  });
  expect(browser.opened).toEqual([]);
  await host.servers.signIn('notes');
  expect(browser.opened).toHaveLength(1);
  expect((await host.callTool('notes__who')).content).toEqual([{ type: 'text', text: 'ada' }]);
  expect(states.at(-1)).toBe('ready');
});

it('keeps the tools of a server that refuses the token, marked, and lets models know', async () => {
  const { host, browser, revoke } = await stage();
  await host.servers.signIn('notes');
  await host.callTool('notes__who');
  revoke();
  const [result] = await host.run([{ type: 'tool_use', id: '1', name: 'notes__who', input: {} }]);
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/notes needs the user to sign in/) }],
  });
  const tools = await host.tools();
  expect(tools.map(({ name, needsSignIn }) => [name, needsSignIn])).toEqual([
    ['notes__erase', true],
    ['notes__who', true],
    ['open__a', false],
  ]);
  expect(browser.opened).toHaveLength(1);
});

it('opens no page for a tool that needs another scope, and signs in for it when the user asks', async () => {
  const { host, browser } = await stage();
  await host.servers.signIn('notes');
  await expect(host.callTool('notes__erase')).rejects.toMatchObject({ reason: 'sign-in-needed' });
  expect(browser.opened).toHaveLength(1);
  await host.servers.signIn('notes');
  expect(browser.opened).toHaveLength(2);
  expect((await host.callTool('notes__erase')).content).toEqual([{ type: 'text', text: 'erased' }]);
});
