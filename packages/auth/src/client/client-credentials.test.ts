import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { fakeWeb, headersBy, mcpUrl, refusalOf } from '../../test/fake-web.js';
import { allTextsOf, failureOf, someDay } from '../../test/grant-tools.js';
import { ManualClock } from '../../test/manual-clock.js';
import { type ClientCredentialsOptions, clientCredentials } from './client-credentials.js';
import { MemoryAuthStore } from './memory-store.js';

const clientId = 'my-service';
const clientSecret = 'secret-4711';

function setUp(given: Partial<ClientCredentialsOptions> = {}, issuers?: () => readonly string[]) {
  const clock = new ManualClock();
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
  it('signs in when it is refused, and uses the token until shortly before it expires', async () => {
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

  it('asks for one token, however many requests need it', async () => {
    const { provider, tokens } = setUp();
    const all = await Promise.all(Array.from({ length: 20 }, () => headersBy(provider)));
    expect(new Set(all.map((headers) => headers?.authorization))).toEqual(new Set(['Bearer at-1']));
    expect(tokens).toHaveLength(1);
  });

  it('gets another token where the server refuses the one it has', async () => {
    const { provider, tokens, clock } = setUp();
    const sent = await headersBy(provider);
    await clock.advance(120_000);
    const again = await provider.authorizer(mcpUrl).challenged(refusalOf({ sent }));
    expect(again).toBe(true);
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-2' });
    expect(tokens).toHaveLength(2);
  });

  it('asks for more scopes where they are missing, and for those it had', async () => {
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

  it('proves with a key in PEM who it is', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { key: await exportPKCS8(privateKey), alg: 'ES256' };
    const { provider, tokens } = setUp({ key, clientSecret: undefined }, () => ['https://keys.example']);
    await headersBy(provider);
    const { payload } = await jwtVerify(tokens[0]?.form.client_assertion ?? '', publicKey, {
      currentDate: new Date(someDay),
    });
    expect(payload).toMatchObject({ iss: clientId, sub: clientId, aud: 'https://keys.example' });
  });

  it('sends its secret nowhere where only keys are taken', async () => {
    const { provider, tokens } = setUp({}, () => ['https://keys.example']);
    const error = await failureOf(headersBy(provider));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
    expect(tokens).toEqual([]);
  });

  it('gives its secret to the configured issuer alone', async () => {
    const { provider, tokens } = setUp({ issuer: 'https://auth.example' }, () => ['https://evil.example']);
    const error = await failureOf(headersBy(provider));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'not-registered' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
    expect(tokens).toEqual([]);
  });

  it('gives its secret to no other issuer than the first, even in another process', async () => {
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
    ['nothing to prove it with', { clientSecret: undefined }, /takes a clientSecret or a key/],
    ['nothing to prove it with but its word', { authMethod: 'none' }, /takes a clientSecret or a key/],
    ['an unknown way', { authMethod: 'client_secret_jwt' }, /authMethod must be one of/],
    ['a key that cannot sign', { key: { key: { kty: 'oct', k: 'x' } } }, /cannot sign/],
    ['an issuer in the clear', { issuer: 'http://auth.example' }, /https address/],
  ])('refuses %s', (_what, given, message) => {
    const make = () => clientCredentials({ clientId, clientSecret, ...given });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(clientSecret);
  });
});
