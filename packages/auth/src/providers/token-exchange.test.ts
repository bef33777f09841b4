import { describe, expect, it } from 'vitest';
import { FakeHttp, fakeServer } from '../../test/client/fake-authorization.js';
import { allTextsOf, failureOf, formOf, grantTools } from '../../test/client/grant-tools.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { TokenExchangeGrant, type TokenExchangeOptions, tokenExchange } from './token-exchange.js';

const resource = 'https://mcp.example/mcp';
const issuer = 'https://auth.example';
const credentials = { owner: 'tokenExchange()', issuer, clientId: 'gateway', clientSecret: 's-1' };

function setUp(subject: unknown = 'user-token', answer: object = {}) {
  const asked: unknown[] = [];
  const subjectToken = (request: unknown) => {
    asked.push(request);
    return subject as string;
  };
  const grant = new TokenExchangeGrant(credentials, { subjectToken, audience: 'notes' });
  const granted = { access_token: 'at-1', token_type: 'Bearer', refresh_token: 'rt-1' };
  const http = new FakeHttp(() => ({ body: granted, ...answer }));
  const tools = grantTools(http);
  const obtain = async (server = fakeServer()) =>
    grant.obtain({ server, resource, scopes: ['a', 'b'] }, await grant.client(server, tools), tools);
  return { asked, http, obtain };
}

describe('tokenExchange()', () => {
  it('exchanges the token of the user for one of the server (RFC 8693, 2.1)', async () => {
    const { asked, http, obtain } = setUp();
    expect(await obtain()).toMatchObject({ accessToken: 'at-1', refreshToken: undefined, issuer });
    expect(asked).toEqual([{ issuer, resource, signal: undefined }]);
    expect(formOf(http.sent[0])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'user-token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'notes',
      resource,
      scope: 'a b',
    });
    expect(http.sent[0]?.headers?.authorization).toMatch(/^Basic /);
  });

  it('sends the token of the user to no other issuer that a server names', async () => {
    const { asked, http, obtain } = setUp();
    expect(await failureOf(obtain(fakeServer({ issuer: 'https://evil.example' })))).toMatchObject({
      name: 'AuthError',
      reason: 'not-registered',
    });
    expect([asked, http.sent]).toEqual([[], []]);
  });

  it('says that there is no token, and does not repeat the token of the user in an error', async () => {
    expect(await failureOf(setUp('').obtain())).toMatchObject({ reason: 'sign-in-needed' });
    const body = { error: 'invalid_request', error_description: 'bad user-token' };
    const failure = await failureOf(setUp('user-token', { status: 400, body }).obtain());
    expect(failure).toMatchObject({ reason: 'denied', oauthError: 'invalid_request' });
    expect(allTextsOf(failure)).not.toContain('user-token');
  });

  it('rejects a token that is not an access token', async () => {
    const body = {
      access_token: 'x',
      token_type: 'N_A',
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    };
    expect(await failureOf(setUp('user-token', { body }).obtain())).toMatchObject({ reason: 'unsupported' });
  });

  it('requires an issuer, a token, credentials, and an account beside a store', () => {
    const subjectToken = () => 'x';
    const options = { subjectToken, issuer, clientId: 'gateway', clientSecret: 's-1' };
    const of = (changes: Partial<Record<keyof TokenExchangeOptions, unknown>>) => () =>
      tokenExchange({ ...options, ...changes } as never);
    expect(of({})).not.toThrow();
    expect(of({ issuer: undefined })).toThrow('issuer is missing');
    expect(of({ subjectToken: undefined })).toThrow('subjectToken is missing');
    expect(of({ clientId: undefined })).toThrow('clientId is missing');
    expect(of({ store: new MemoryAuthStore() })).toThrow('account is missing');
    expect(of({ actor: 'x' } as never)).toThrow('there is no option "actor"');
  });
});
