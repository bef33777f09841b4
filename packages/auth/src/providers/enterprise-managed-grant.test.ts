import { describe, expect, it } from 'vitest';
import { type FakeAnswer, FakeHttp, fakeServer } from '../../test/client/fake-authorization.js';
import { allTextsOf, failureOf, formOf, grantTools } from '../../test/client/grant-tools.js';
import type { OauthRequest } from '../http/oauth-http.js';
import { dpopSigner } from '../oauth/dpop.js';
import type { GrantTools } from '../oauth/grant.js';
import { EnterpriseManagedGrant, type IdentityRequest, type IdentitySource } from './enterprise-managed.js';
import type { PinnedCredentials } from './pinned-grant.js';

const resource = 'https://mcp.example/mcp';
const idToken = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.aWQtdG9rZW4tc2lnbmF0dXJl';
const idJag = 'eyJ0eXAiOiJvYXV0aC1pZC1qYWcrand0In0.eyJzdWIiOiJ1c2VyLTEifQ.amFnLXNpZ25hdHVyZQ';
const exchanged = {
  access_token: idJag,
  token_type: 'N_A',
  issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
};
const granted = { access_token: 'at-1', token_type: 'Bearer', refresh_token: 'rt-1' };
const refused = {
  status: 400,
  body: { error: 'invalid_grant', error_description: `bad ${idToken} ${idJag}` },
};

interface Setup {
  readonly provider?: (count: number) => FakeAnswer;
  readonly server?: (count: number) => FakeAnswer;
  readonly identity?: IdentitySource;
  readonly idpSecret?: string;
  readonly client?: Partial<PinnedCredentials>;
  readonly tools?: Partial<GrantTools>;
}

function setUp(setup: Setup = {}) {
  const sentTo = (origin: string) => http.sent.filter(({ url }) => url.origin === origin);
  const http: FakeHttp = new FakeHttp(({ url }: OauthRequest) => {
    const answer = url.origin === 'https://idp.example' ? setup.provider : setup.server;
    return answer?.(sentTo(url.origin).length) ?? { body: url.origin.includes('idp') ? exchanged : granted };
  });
  const asked: IdentityRequest[] = [];
  const grant = new EnterpriseManagedGrant({
    provider: {
      issuer: 'https://idp.example',
      client: { clientId: 'at-idp', clientSecret: setup.idpSecret },
      http,
      find: () => Promise.resolve(fakeServer({ issuer: 'https://idp.example' })),
    },
    identity: (request) => {
      asked.push(request);
      return (setup.identity ?? (() => idToken))(request);
    },
    client: { owner: 'enterpriseManaged()', clientId: 'at-as', clientSecret: 'as-secret', ...setup.client },
  });
  const tools = grantTools(http, setup.tools);
  const obtain = async (scopes?: readonly string[], server = fakeServer()) =>
    grant.obtain({ server, resource, scopes }, await grant.client(server, tools), tools);
  return {
    grant,
    obtain,
    asked,
    http,
    idp: () => sentTo('https://idp.example'),
    as: () => sentTo('https://auth.example'),
    tools,
  };
}

describe('EnterpriseManagedGrant', () => {
  it('exchanges the identity for an assertion, and that for a token', async () => {
    const { obtain, asked, idp, as } = setUp();
    expect(await obtain(['chat.read'])).toMatchObject({
      accessToken: 'at-1',
      issuer: 'https://auth.example',
      clientId: 'at-as',
      refreshToken: undefined,
      requested: ['chat.read'],
    });
    expect(asked).toEqual([{ issuer: 'https://idp.example', resource, fresh: false, signal: undefined }]);
    expect(idp().map(formOf)).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        audience: 'https://auth.example',
        resource,
        scope: 'chat.read',
        subject_token: idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        client_id: 'at-idp',
      },
    ]);
    expect(as().map(formOf)).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: idJag,
        scope: 'chat.read',
        resource,
      },
    ]);
    expect(as()[0]?.headers?.authorization).toBe(`Basic ${btoa('at-as:as-secret')}`);
  });

  it('sends the identity and each secret only to its server, and stores none of them', async () => {
    const { obtain, idp, as, tools } = setUp({ idpSecret: 'idp-secret' });
    const kept: string[] = [];
    const { store } = tools;
    const swap = store.swap.bind(store);
    store.swap = (key, version, value) => {
      kept.push(JSON.stringify([key, value]));
      return swap(key, version, value);
    };
    const tokens = await obtain(['chat.read']);
    expect(idp()[0]?.headers?.authorization).toBe(`Basic ${btoa('at-idp:idp-secret')}`);
    expect(JSON.stringify(as())).not.toContain(idToken);
    expect(JSON.stringify(as())).not.toContain('idp-secret');
    expect(JSON.stringify(idp())).not.toContain('as-secret');
    for (const text of [idToken, idJag]) expect(JSON.stringify([tokens, kept])).not.toContain(text);
    expect(kept).toHaveLength(1);
  });

  it('accepts a SAML assertion', async () => {
    const { obtain, idp } = setUp({ identity: () => ({ saml: 'PHNhbWw' }) });
    await obtain();
    expect(formOf(idp()[0])).toMatchObject({
      subject_token: 'PHNhbWw',
      subject_token_type: 'urn:ietf:params:oauth:token-type:saml2',
    });
  });

  it('requests the scopes that the identity provider granted, and records those it wanted', async () => {
    const provider = () => ({ body: { ...exchanged, token_type: 'n_a', scope: 'chat.read admin' } });
    const { obtain, as } = setUp({ provider });
    expect(await obtain(['chat.read', 'chat.write'])).toMatchObject({
      scopes: ['chat.read'],
      requested: ['chat.read', 'chat.write'],
    });
    expect(formOf(as()[0]).scope).toBe('chat.read');
  });

  it('returns the scopes that the authorization server granted', async () => {
    const { obtain } = setUp({ server: () => ({ body: { ...granted, scope: 'chat.list' } }) });
    expect((await obtain(['chat.read'])).scopes).toEqual(['chat.list']);
  });

  it('rejects if the identity provider granted none of the scopes', async () => {
    const { obtain, as } = setUp({ provider: () => ({ body: { ...exchanged, scope: 'other' } }) });
    expect(await failureOf(obtain(['chat.read']))).toMatchObject({ name: 'AuthError', reason: 'denied' });
    expect(as()).toEqual([]);
  });

  it.each([
    ['an access token', { ...exchanged, token_type: 'Bearer' }],
    ['a token of another type', { ...exchanged, issued_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
    ['a token without a type', { ...exchanged, issued_token_type: undefined }],
  ])('rejects %s from the identity provider, and does not send it on', async (_what, body) => {
    const { obtain, as } = setUp({ provider: () => ({ body }) });
    const error = await failureOf(obtain());
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
    expect(allTextsOf(error)).not.toContain(idJag);
    expect(as()).toEqual([]);
  });

  it('binds the token to a key, but not the assertion', async () => {
    const dpop = await dpopSigner();
    const server = () => ({ body: { ...granted, token_type: 'DPoP' } });
    const { obtain, idp, as } = setUp({ tools: { dpop }, server });
    expect(await obtain()).toMatchObject({ tokenType: 'DPoP', dpopKey: dpop.key });
    expect(idp()[0]?.headers).not.toHaveProperty('dpop');
    expect(as()[0]?.headers).toHaveProperty('dpop');
  });

  it('uses a different identity for each client and issuer', () => {
    const identities = [
      setUp(),
      setUp({ client: { clientId: 'other' } }),
      setUp({ client: { issuer: 'https://auth.example' } }),
    ].map(({ grant }) => grant.identity);
    expect(new Set(identities).size).toBe(3);
    expect(identities.join()).not.toContain('as-secret');
  });

  it('sends neither secret nor identity for an issuer that the client is not registered at', async () => {
    const { obtain, asked, http } = setUp({ client: { issuer: 'https://auth.example' } });
    const evil = fakeServer({ issuer: 'https://evil.example' });
    expect(await failureOf(obtain([], evil))).toMatchObject({ reason: 'not-registered' });
    expect([asked.length, http.sent.length]).toEqual([0, 0]);
  });
});

describe('EnterpriseManagedGrant after a refusal', () => {
  const fresh: IdentitySource = (request) => (request.fresh ? `${idToken}-fresh` : idToken);

  it('asks for a fresh identity once if the identity provider refuses the old one', async () => {
    const provider = (count: number) => (count === 1 ? refused : { body: exchanged });
    const { obtain, asked, idp } = setUp({ provider, identity: fresh });
    await obtain();
    expect(asked.map((request) => request.fresh)).toEqual([false, true]);
    expect(idp().map((sent) => formOf(sent).subject_token)).toEqual([idToken, `${idToken}-fresh`]);
  });

  it('asks for a fresh identity once if the authorization server refuses the assertion', async () => {
    const server = (count: number) => (count === 1 ? refused : { body: granted });
    const { obtain, asked, idp, as } = setUp({ server, identity: fresh });
    expect((await obtain()).accessToken).toBe('at-1');
    expect([asked.length, idp().length, as().length]).toEqual([2, 2, 2]);
  });

  it('gives up after the second refusal, without secrets in the error', async () => {
    const { obtain, asked, http } = setUp({ provider: () => refused, identity: fresh });
    const error = await failureOf(obtain());
    expect(error).toMatchObject({ name: 'AuthError', reason: 'denied', oauthError: 'invalid_grant' });
    for (const text of [idToken, idJag]) expect(allTextsOf(error)).not.toContain(text);
    expect([asked.length, http.sent.length]).toEqual([2, 2]);
  });

  it('does not send the same identity twice', async () => {
    const { obtain, http } = setUp({ provider: () => refused });
    expect(await failureOf(obtain())).toMatchObject({ oauthError: 'invalid_grant' });
    expect(http.sent).toHaveLength(1);
  });

  it.each(['invalid_client', 'invalid_scope', 'access_denied', 'invalid_target'])(
    'does not ask for a fresh identity after %s',
    async (error) => {
      const { obtain, asked, http } = setUp({
        provider: () => ({ status: 400, body: { error } }),
        identity: fresh,
      });
      expect(await failureOf(obtain())).toMatchObject({ reason: 'denied', oauthError: error });
      expect([asked.length, http.sent.length]).toEqual([1, 1]);
    },
  );

  it('passes on the error of the function identity, and sends nothing', async () => {
    const failing = setUp({ identity: () => Promise.reject(new Error('signed out')) });
    expect(await failureOf(failing.obtain())).toMatchObject({ message: 'signed out' });
    for (const bad of ['', { saml: '' }, {}, 7, null]) {
      const { obtain, http } = setUp({ identity: () => bad as never });
      expect(await failureOf(obtain())).toBeInstanceOf(TypeError);
      expect(http.sent).toEqual([]);
    }
  });
});
