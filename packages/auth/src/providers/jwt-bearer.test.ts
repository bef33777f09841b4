import { describe, expect, it } from 'vitest';
import { fakeWeb, headersBy, mcpUrl } from '../../test/client/fake-web.js';
import { failureOf } from '../../test/client/grant-tools.js';
import { type JwtBearerOptions, jwtBearer } from './jwt-bearer.js';

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ3b3JrbG9hZCJ9.c2lnbmF0dXJl';

function setUp(given: Partial<JwtBearerOptions> = {}, answer: object = {}) {
  const asked: string[] = [];
  const web = fakeWeb({
    metadata: { 'https://auth.example': { token_endpoint_auth_methods_supported: ['none'] } },
    token: () => ({ access_token: 'at-1', token_type: 'Bearer', ...answer }),
  });
  const assertion = ({ issuer, resource }: { issuer: string; resource: string }) => {
    asked.push(`${issuer} ${resource}`);
    return jwt;
  };
  return { ...web, asked, provider: jwtBearer({ assertion, fetch: web.fetch, ...given }) };
}

describe('jwtBearer', () => {
  it('authorizes a workload by the token of its platform', async () => {
    const { provider, tokens, asked } = setUp({ clientId: 'my-workload' });
    expect(await headersBy(provider)).toEqual({ authorization: 'Bearer at-1' });
    expect(asked).toEqual([`https://auth.example ${mcpUrl.href}`]);
    expect(tokens.map(({ form }) => form)).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: jwt,
        resource: mcpUrl.href,
        client_id: 'my-workload',
      },
    ]);
  });

  it('sends an assertion once, and tries no other grant, if it is refused', async () => {
    const { provider, tokens, asked } = setUp({}, { status: 400, error: 'invalid_grant' });
    expect(await failureOf(headersBy(provider))).toMatchObject({
      name: 'AuthError',
      oauthError: 'invalid_grant',
    });
    expect([tokens.length, asked.length]).toEqual([1, 1]);
    expect(tokens[0]?.form).not.toHaveProperty('client_id');
  });

  it('sends assertions only to the configured issuer', async () => {
    const { provider, tokens, asked } = setUp({ issuer: 'https://other.example' });
    expect(await failureOf(headersBy(provider))).toMatchObject({
      name: 'AuthError',
      reason: 'not-registered',
    });
    expect([tokens.length, asked.length]).toEqual([0, 0]);
  });

  it.each<[string, object, RegExp]>([
    ['a misspelt option', { asertion: () => jwt }, /no option "asertion"/],
    ['no assertion', { assertion: undefined }, /assertion is missing/],
    ['an assertion instead of a function', { assertion: jwt }, /assertion must be a function/],
    ['a secret without an id', { clientSecret: 's-1' }, /requires a clientId/],
  ])('rejects %s', (_what, given, message) => {
    expect(() => jwtBearer({ assertion: () => jwt, ...given })).toThrow(message);
    expect(() => jwtBearer({ assertion: () => jwt, ...given })).toThrow(TypeError);
  });
});
