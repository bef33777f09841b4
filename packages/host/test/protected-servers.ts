import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { startTestAuthorizationServer, type TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { onTestFinished } from 'vitest';
import type { Vault } from '../src/servers/credentials.js';

/** Starts an authorization server until the end of the test. */
export async function authorizationServer(): Promise<TestAuthorizationServer> {
  const server = await startTestAuthorizationServer({
    user: ({ params }) => params.login_hint ?? 'nobody',
  });
  onTestFinished(() => server.close());
  return server;
}

/** Serves a server with a tool that tells for which user, of which issuer and at which server it was called; returns its URL. */
export async function protectedServer(name: string, issuers: readonly string[]): Promise<string> {
  const server = createServer({ name, version: '1.0.0' }).tool(
    'who',
    {},
    (_, { auth }) => `${auth?.id} of ${auth?.issuer} at ${name}`,
  );
  const serving = await serveHttp(server, {
    limits: { drain: 100 },
    guard: (resource) =>
      new ResourceGuard({ resource, authorizationServers: issuers, verify: jwtVerifier() }),
  });
  onTestFinished(async () => {
    await serving.close();
    await server.close();
  });
  return serving.url;
}

/** Calls the tool `who` with the credentials of a vault. */
export async function who(
  vault: Vault,
  request: { readonly user: string; readonly server: string; readonly url: string },
): Promise<unknown> {
  const { auth, headers } = await vault.credentialsFor(request);
  const client = await connect(request.url, {
    info: { name: 'tests', version: '1.0.0' },
    ...(auth !== undefined && { auth }),
    ...(headers !== undefined && { headers }),
  });
  try {
    const { content } = await client.callTool('who');
    return (content[0] as { text?: string } | undefined)?.text;
  } finally {
    await client.close();
  }
}
