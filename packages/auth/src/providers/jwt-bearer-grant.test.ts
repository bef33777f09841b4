import { describe, expect, it } from 'vitest';
import { type FakeAnswer, FakeHttp, fakeServer } from '../../test/client/fake-authorization.js';
import { allTextsOf, failureOf, formOf, grantTools } from '../../test/client/grant-tools.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import { type AssertionSource, JwtBearerGrant } from './jwt-bearer.js';
import type { PinnedCredentials } from './pinned-grant.js';

const resource = 'https://mcp.example/mcp';
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ3b3JrbG9hZCJ9.c2lnbmF0dXJl';
const granted = { body: { access_token: 'at-1', token_type: 'Bearer', refresh_token: 'rt-1' } };

function setUp(
  given: {
    readonly credentials?: Partial<PinnedCredentials>;
    readonly assertion?: AssertionSource;
    readonly answer?: FakeAnswer;
  } = {},
) {
  const credentials = { owner: 'jwtBearer()', clientId: '', ...given.credentials };
  const grant = new JwtBearerGrant(credentials, given.assertion ?? (() => jwt));
  const http = new FakeHttp(() => given.answer ?? granted);
  const tools = grantTools(http);
  const obtain = async (server: AuthorizationServer = fakeServer()) =>
    grant.obtain({ server, resource, scopes: ['a', 'b'] }, await grant.client(server, tools), tools);
  return { http, obtain };
}

describe('JwtBearerGrant', () => {
  it('exchanges an assertion for a token (RFC 7523, 2.1)', async () => {
    const asked: unknown[] = [];
    const { http, obtain } = setUp({
      assertion: (request) => {
        asked.push(request);
        return Promise.resolve(jwt);
      },
    });
    expect(await obtain()).toMatchObject({
      accessToken: 'at-1',
      refreshToken: undefined,
      requested: ['a', 'b'],
    });
    expect(asked).toEqual([
      { issuer: 'https://auth.example', resource, scopes: ['a', 'b'], signal: undefined },
    ]);
    expect(formOf(http.sent[0])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: jwt,
      scope: 'a b',
      resource,
    });
    expect(http.sent[0]?.headers).not.toHaveProperty('authorization');
  });

  it('sends the client id, and authenticates if there is a secret', async () => {
    const named = setUp({ credentials: { clientId: 'c-1' } });
    await named.obtain();
    expect(formOf(named.http.sent[0]).client_id).toBe('c-1');
    const proven = setUp({ credentials: { clientId: 'c-1', clientSecret: 's-1' } });
    await proven.obtain(fakeServer({ tokenEndpointAuthMethods: ['none', 'client_secret_post'] }));
    expect(formOf(proven.http.sent[0])).toMatchObject({ client_id: 'c-1', client_secret: 's-1' });
  });

  it.each(['invalid_grant', 'invalid_scope', 'unauthorized_client', 'unsupported_grant_type'])(
    'sends the assertion once if the server answers %s',
    async (error) => {
      let asked = 0;
      const { http, obtain } = setUp({
        assertion: () => {
          asked++;
          return jwt;
        },
        answer: { status: 400, body: { error, error_description: `bad ${jwt}` } },
      });
      const failure = await failureOf(obtain());
      expect(failure).toMatchObject({ name: 'AuthError', oauthError: error });
      expect(allTextsOf(failure)).not.toContain(jwt);
      expect([asked, http.sent.length]).toEqual([1, 1]);
    },
  );

  it('requests no assertion for an issuer that it is not for', async () => {
    let asked = 0;
    const assertion = () => {
      asked++;
      return jwt;
    };
    const { http, obtain } = setUp({ credentials: { issuer: 'https://auth.example' }, assertion });
    expect(await failureOf(obtain(fakeServer({ issuer: 'https://evil.example' })))).toMatchObject({
      name: 'AuthError',
      reason: 'not-registered',
    });
    expect([asked, http.sent.length]).toEqual([0, 0]);
  });

  it('passes on the error of the function assertion, and sends nothing', async () => {
    const failing = setUp({ assertion: () => Promise.reject(new Error('no workload here')) });
    expect(await failureOf(failing.obtain())).toMatchObject({ message: 'no workload here' });
    for (const bad of ['', undefined, 7, { jwt }]) {
      const { http, obtain } = setUp({ assertion: () => bad as string });
      expect(await failureOf(obtain())).toBeInstanceOf(TypeError);
      expect(http.sent).toEqual([]);
    }
    expect(failing.http.sent).toEqual([]);
  });
});
