import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { fakeWeb, headersBy, mcpUrl, refusalOf } from '../../test/client/fake-web.js';
import { allTextsOf, failureOf, someDay } from '../../test/client/grant-tools.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { type ClientCredentialsOptions, clientCredentials } from './client-credentials.js';

const clientId = 'my-service';
const clientSecret = 'secret-4711';

function setUp(given: Partial<ClientCredentialsOptions> = {}, issuers?: () => readonly string[]) {
  const clock = new FakeClock();
  clock.stall(someDay);
  const web = fakeWeb({
    ...(issuers !== undefined && { issuers }),
    metadata: { 'https://keys.example': { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
    token: (_request, count) => ({ access_token: `at-${count}`, token_type: 'Bearer', expires_in: 3_600 }),
  });
  const provider = clientCredentials({ clientId, clientSecret, fetch: web.fetch, clock, ...given });
  return { ...web, clock, provider };
}

describe('clientCredentials', () => {
  it('obtains a token after a 401, and uses it until shortly before it expires', async () => {
    const { provider, tokens, clock } = setUp();
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-1' });
    await clock.advance(3_500_000);
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-1' });
    await clock.advance(99_999);
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-2' });
    expect(tokens.map(({ url, form }) => [url, form.grant_type, form.resource])).toEqual(
      Array.from({ length: 2 }, () => ['https://auth.example/token', 'client_credentials', mcpUrl.href]),
    );
  });

  it('requests one token for many requests', async () => {
    const { provider, tokens } = setUp();
    const all = await Promise.all(Array.from({ length: 20 }, () => headersBy(provider)));
    expect(new Set(all.map((headers) => headers?.authorization))).toEqual(new Set(['Bearer at-1']));
    expect(tokens).toHaveLength(1);
  });

  it('requests another token if the server refuses the current one', async () => {
    const { provider, tokens, clock } = setUp();
    const sent = await headersBy(provider);
    await clock.advance(120_000);
    const again = await provider.authorizer(mcpUrl).challenged(refusalOf({ sent }));
    expect(again).toBe(true);
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-2' });
    expect(tokens).toHaveLength(2);
  });

  it('requests missing scopes together with the earlier ones', async () => {
    const { provider, tokens } = setUp({ scopes: ['notes:read'] });
    const sent = await headersBy(provider);
    const challenge = refusalOf({
      status: 403,
      authenticate: ['Bearer error="insufficient_scope", scope="notes:write"'],
      sent,
    });
    await provider.authorizer(mcpUrl).challenged(challenge);
    const [first, second] = tokens.map(({ form }) => form.scope?.split(' ').sort());
    expect(first).toEqual(['notes:read']);
    expect(second).toEqual(['notes:read', 'notes:write']);
  });

  it('authenticates with a PEM key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { key: await exportPKCS8(privateKey), alg: 'ES256' };
    const { provider, tokens } = setUp({ key, clientSecret: undefined }, () => ['https://keys.example']);
    await headersBy(provider);
    const { payload } = await jwtVerify(tokens[0]?.form.client_assertion ?? '', publicKey, {
      currentDate: new Date(someDay),
    });
    expect(payload).toMatchObject({ iss: clientId, sub: clientId, aud: 'https://keys.example' });
  });

  it('does not send its secret to a server that accepts only keys', async () => {
    const { provider, tokens } = setUp({}, () => ['https://keys.example']);
    const error = await failureOf(headersBy(provider));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
    expect(tokens).toEqual([]);
  });

  it('sends its secret only to the configured issuer', async () => {
    const { provider, tokens } = setUp({ issuer: 'https://auth.example' }, () => ['https://evil.example']);
    const error = await failureOf(headersBy(provider));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'not-registered' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
    expect(tokens).toEqual([]);
  });

  it('sends its secret only to the first issuer, even in another process', async () => {
    let issuer = 'https://auth.example';
    const store = new MemoryAuthStore();
    const first = setUp({ store }, () => [issuer]);
    await headersBy(first.provider);
    issuer = 'https://evil.example';
    await first.provider.signOut();
    expect(await failureOf(headersBy(first.provider))).toMatchObject({ reason: 'not-registered' });
    const second = setUp({ store }, () => [issuer]);
    expect(await failureOf(headersBy(second.provider))).toMatchObject({ reason: 'not-registered' });
    expect([first.tokens.length, second.tokens.length]).toEqual([1, 0]);
  });

  it.each<[string, object, RegExp]>([
    ['a misspelt option', { clientID: 'x' }, /no option "clientID"/],
    ['no id', { clientId: undefined }, /clientId is missing/],
    ['an empty id', { clientId: '' }, /clientId must be/],
    ['no credential', { clientSecret: undefined }, /requires a clientSecret or a key/],
    ['the method none', { authMethod: 'none' }, /requires a clientSecret or a key/],
    ['an unknown authentication method', { authMethod: 'client_secret_jwt' }, /authMethod must be one of/],
    ['a key that cannot sign', { key: { key: { kty: 'oct', k: 'x' } } }, /cannot sign/],
    ['an http issuer', { issuer: 'http://auth.example' }, /https address/],
  ])('rejects %s', (_what, given, message) => {
    const make = () => clientCredentials({ clientId, clientSecret, ...given });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(clientSecret);
  });
});
