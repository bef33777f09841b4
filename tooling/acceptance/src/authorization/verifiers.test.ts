import { introspectionVerifier, jwtVerifier, type TokenRealm, type Verify } from '@tenon/mcp-auth/server';
import { systemClock } from '@tenon/mcp-session';
import { startTestAuthorizationServer, type TokenToIssue } from '@tenon/mcp-testing/oauth';
import { describe, expect, onTestFinished, test } from 'vitest';

const resource = 'https://mcp.example/mcp';

async function started(options: Parameters<typeof startTestAuthorizationServer>[0] = {}) {
  const server = await startTestAuthorizationServer({ audience: resource, ...options });
  onTestFinished(() => server.close());
  const realm: TokenRealm = {
    resource,
    authorizationServers: [server.issuer],
    clock: { ...systemClock, now: () => Date.now() },
  };
  const ask = async (verify: Verify, token: string) =>
    verify(token, { method: 'POST', url: '/mcp', header: () => undefined }, realm);
  return { server, ask };
}

describe('JWTs of an authorization server', () => {
  test('are checked by what its metadata says of its keys', async () => {
    const { server, ask } = await started({ path: '/tenant' });
    const token = await server.issueToken({ subject: 'alice', clientId: 'app', scopes: ['read'] });
    expect(await ask(jwtVerifier(), token)).toMatchObject({
      id: 'alice',
      issuer: server.issuer,
      clientId: 'app',
      scopes: ['read'],
    });
  });

  const attacks: readonly [string, TokenToIssue][] = [
    ['unsigned', { signature: 'none' }],
    ['signed with a public key for a secret', { signature: 'hs256-public-key' }],
    ['signed with another key of the right name', { signature: 'wrong-key' }],
    ['tampered with', { signature: 'broken' }],
    ['for another server', { audience: 'https://other.example' }],
    ['that have expired', { lifetime: -60_000 }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that are ID tokens', { kind: 'id' }],
    ['that are ID-JAGs', { kind: 'id-jag' }],
  ];

  test.each(attacks)('%s are refused', async (_what, wanted) => {
    const { server, ask } = await started();
    const verify = jwtVerifier();
    expect(await ask(verify, await server.issueToken(wanted))).toHaveProperty('rejected');
    expect(await ask(verify, await server.issueToken())).toHaveProperty('id');
  });

  test('are checked with new keys when these have changed', async () => {
    const { server, ask } = await started();
    const verify = jwtVerifier({ keyCooldown: 1 });
    expect(await ask(verify, await server.issueToken())).toHaveProperty('id');
    await server.rotateKeys(0);
    expect(await ask(verify, await server.issueToken())).toHaveProperty('id');
  });
});

describe('opaque tokens', () => {
  const client = { clientId: 'the-server', clientSecret: 'a secret of the server' };

  test('are asked about, and no longer taken once they are revoked', async () => {
    const { server, ask } = await started({ accessTokens: 'opaque', clients: [client] });
    const endpoint = `${server.issuer}/introspect`;
    const verify = introspectionVerifier({ endpoint, client, cacheMaxAge: 0 });
    const token = await server.issueToken({ subject: 'alice', scopes: ['read'] });
    expect(await ask(verify, token)).toMatchObject({ id: 'alice', issuer: server.issuer, scopes: ['read'] });
    server.revoke(token);
    expect(await ask(verify, token)).toEqual({ rejected: 'The token is not active.' });
    expect(await ask(verify, 'made up')).toEqual({ rejected: 'The token is not active.' });
    const elsewhere = await server.issueToken({ audience: 'https://other.example' });
    expect(await ask(verify, elsewhere)).toEqual({ rejected: 'The token is for another server.' });
  });

  test('are nobody\u0027s fault when this server may not ask', async () => {
    const { server, ask } = await started({ accessTokens: 'opaque', clients: [client] });
    const endpoint = `${server.issuer}/introspect`;
    const verify = introspectionVerifier({ endpoint, client: { ...client, clientSecret: 'another' } });
    await expect(ask(verify, await server.issueToken())).rejects.toThrow('check the client and its secret');
  });
});
