import { introspectionVerifier, jwtVerifier, type TokenRealm, type Verify } from '@tenon/mcp-auth/server';
import { systemClock } from '@tenon/mcp-session';
import { startTestAuthorizationServer, type TokenToIssue } from '@tenon/mcp-testing/oauth';
import { describe, expect, onTestFinished, test } from 'vitest';

const resource = 'https://mcp.example/mcp';

async function started(options: Parameters<typeof startTestAuthorizationServer>[0] = {}) {
  const server = await startTestAuthorizationServer({ audience: resource, ...options });
  onTestFinished(() => server.close());
  let passed = 0;
  const realm: TokenRealm = {
    resource,
    authorizationServers: [server.issuer],
    clock: { ...systemClock, now: () => Date.now() + passed },
  };
  const ask = async (verify: Verify, token: string) =>
    verify(token, { method: 'POST', url: '/mcp', header: () => undefined }, realm);
  const pass = (ms: number) => {
    passed += ms;
  };
  return { server, ask, pass };
}

describe('jwtVerifier', () => {
  test("verifies JWTs with the keys the issuer's metadata names", async () => {
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

  test.each(attacks)('rejects %s', async (_what, wanted) => {
    const { server, ask } = await started();
    const verify = jwtVerifier();
    expect(await ask(verify, await server.issueToken(wanted))).toHaveProperty('rejected');
    expect(await ask(verify, await server.issueToken())).toHaveProperty('id');
  });

  test('fetches new keys when they have changed', async () => {
    const { server, ask, pass } = await started();
    const verify = jwtVerifier();
    expect(await ask(verify, await server.issueToken())).toHaveProperty('id');
    await server.rotateKeys(0);
    pass(30_000);
    expect(await ask(verify, await server.issueToken())).toHaveProperty('id');
  });
});

describe('introspectionVerifier', () => {
  const client = { clientId: 'the-server', clientSecret: 'a secret of the server' };

  test('accepts opaque tokens until they are revoked', async () => {
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

  test('answers 503 if this server may not introspect', async () => {
    const { server, ask } = await started({ accessTokens: 'opaque', clients: [client] });
    const endpoint = `${server.issuer}/introspect`;
    const verify = introspectionVerifier({ endpoint, client: { ...client, clientSecret: 'another' } });
    await expect(ask(verify, await server.issueToken())).rejects.toThrow(
      'check the option client and its secret',
    );
  });
});
