import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, FakeHttp, fakeServer } from '../../test/client/fake-authorization.js';
import { allTextsOf, failureOf, formOf, grantTools, someDay } from '../../test/client/grant-tools.js';
import type { OauthRequest } from '../http/oauth-http.js';
import type { ClientInformation } from './client-information.js';
import { dpopSigner } from './dpop.js';
import type { GrantTools } from './grant.js';
import { requestTokens, type TokenRequest } from './token-endpoint.js';

const granted = { access_token: 'at-1', token_type: 'Bearer' };
const secret = 'client-secret-4711';

interface Setup {
  readonly answer?: (request: OauthRequest, count: number) => FakeAnswer;
  readonly client?: Partial<ClientInformation>;
  readonly server?: Partial<TokenRequest['server']>;
  readonly params?: TokenRequest['params'];
  readonly tools?: Partial<GrantTools>;
}

function ask(setup: Setup = {}) {
  const http = new FakeHttp(setup.answer ?? (() => ({ body: granted })));
  const tokens = requestTokens({
    server: { ...fakeServer({ tokenEndpointAuthMethods: ['client_secret_basic'] }), ...setup.server },
    client: { clientId: 'c-1', clientSecret: secret, ...setup.client },
    params: setup.params ?? { grant_type: 'client_credentials', scope: 'b a' },
    tools: grantTools(http, setup.tools),
  });
  return { http, tokens };
}

describe('requestTokens', () => {
  it('posts a form, and returns the tokens with issuer and client', async () => {
    const body = { ...granted, expires_in: 60, refresh_token: 'rt-1', scope: 'a' };
    const params = {
      grant_type: 'refresh_token',
      refresh_token: 'r&=+ \u00e9',
      scope: 'b a',
      nothing: undefined,
    };
    const { http, tokens } = ask({ answer: () => ({ body }), params });
    expect(await tokens).toEqual({
      accessToken: 'at-1',
      tokenType: 'Bearer',
      expiresAt: someDay + 60_000,
      refreshToken: 'rt-1',
      scopes: ['a'],
      requested: ['b', 'a'],
      issuer: 'https://auth.example',
      clientId: 'c-1',
    });
    const [sent] = http.sent;
    expect(sent).toMatchObject({ method: 'POST', url: new URL('https://auth.example/token') });
    expect(sent?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${btoa(`c-1:${secret}`)}`,
    });
    expect(formOf(sent)).toEqual({ grant_type: 'refresh_token', refresh_token: 'r&=+ \u00e9', scope: 'b a' });
  });

  it('leaves out empty parameters', async () => {
    const { http, tokens } = ask({ params: { grant_type: 'x', scope: '', resource: '' } });
    expect((await tokens).requested).toEqual([]);
    expect(formOf(http.sent[0])).toEqual({ grant_type: 'x' });
  });

  it('lets client authentication override parameters', async () => {
    const { http, tokens } = ask({
      client: { clientSecret: undefined },
      params: { grant_type: 'x', client_id: 'another' },
    });
    await tokens;
    expect(formOf(http.sent[0]).client_id).toBe('c-1');
  });

  it('counts the lifetime of a token from the start of the request', async () => {
    const tools = grantTools(new FakeHttp(() => ({})));
    const { clock } = tools as unknown as { clock: { stall(ms: number): void } & GrantTools['clock'] };
    const { tokens } = ask({
      tools: { clock },
      answer: () => {
        clock.stall(5_000);
        return { body: { ...granted, expires_in: 60 } };
      },
    });
    expect((await tokens).expiresAt).toBe(someDay + 60_000);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('accepts the type %s', async (token_type) => {
    expect((await ask({ answer: () => ({ body: { ...granted, token_type } }) }).tokens).tokenType).toBe(
      'Bearer',
    );
  });

  it('accepts tokens with HTTP 201', async () => {
    expect((await ask({ answer: () => ({ status: 201, body: granted }) }).tokens).accessToken).toBe('at-1');
  });

  it.each([
    ['mac', undefined],
    ['N_A', undefined],
    ['DPoP', undefined],
    ['Bearer ', undefined],
    ['Bearer', 'urn:ietf:params:oauth:token-type:id-jag'],
    ['Bearer', 'urn:ietf:params:oauth:token-type:refresh_token'],
  ])('rejects the type %j with the issued type %j', async (token_type, issued_token_type) => {
    const body = { ...granted, token_type, issued_token_type };
    const error = await failureOf(ask({ answer: () => ({ body }) }).tokens);
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
  });

  it('sends nothing without a common authentication method or an endpoint', async () => {
    for (const server of [{ tokenEndpointAuthMethods: ['private_key_jwt'] }, { tokenEndpoint: undefined }]) {
      const { http, tokens } = ask({ server });
      expect(await failureOf(tokens)).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
      expect(http.sent).toEqual([]);
    }
  });

  it.each([
    ['a redirect', { status: 302, headers: { location: 'https://evil.example' } }, 'unreachable', /redirect/],
    ['a redirect that repeats the POST', { status: 307, body: granted }, 'unreachable', /redirect/],
    ['a page', { body: '<html>client-secret-4711</html>' }, 'unreachable', /unusable/],
    ['an error page', { status: 500, body: '<html>' }, 'unreachable', /HTTP 500/],
    ['an empty body', { body: '' }, 'unreachable', /unusable/],
    ['JSON without end', { body: `{"access_token":"${'['.repeat(200_000)}` }, 'unreachable', /unusable/],
    ['deep JSON', { body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` }, 'unreachable', /unusable/],
    ['an error', { status: 400, body: { error: 'invalid_grant' } }, 'denied', /invalid_grant/],
    [
      'an error that calls itself a success',
      { body: { error: 'invalid_grant', ...granted } },
      'denied',
      /invalid/,
    ],
    ['tokens with an error status', { status: 400, body: granted }, 'unreachable', /HTTP 400/],
  ])('rejects %s after one request', async (...[, answer, reason, message]) => {
    const { http, tokens } = ask({ answer: () => answer });
    const error = await failureOf(tokens);
    expect(error).toMatchObject({ name: 'AuthError', reason, message: expect.stringMatching(message) });
    expect(allTextsOf(error)).not.toContain(secret);
    expect(http.sent).toHaveLength(1);
  });

  it.each([
    ['has a challenge', 401, 'invalid_client', { 'www-authenticate': 'Basic realm="auth"' }],
    ['is JSON of another media type', 400, 'invalid_grant', { 'content-type': 'text/plain' }],
    ['is of a server that fails', 503, 'temporarily_unavailable', {}],
    ['has a status of success', 200, 'invalid_grant', {}],
  ])('reads the error code of a response that %s', async (...[, status, error, headers]) => {
    const { tokens } = ask({ answer: () => ({ status, body: { error }, headers }) });
    expect(await failureOf(tokens)).toMatchObject({ oauthError: error, answerStatus: status });
  });

  it('passes on the signal, and errors of the transport', async () => {
    const { signal } = new AbortController();
    const { http, tokens } = ask({ tools: { signal } });
    await tokens;
    expect(http.sent[0]?.signal).toBe(signal);
    const broken = ask({
      answer: () => {
        throw new TypeError('broken');
      },
    });
    expect(await failureOf(broken.tokens)).toMatchObject({ message: 'broken' });
  });
});

describe('requestTokens with a DPoP key', () => {
  const bound = { ...granted, token_type: 'dpop' };
  const wantsNonce = { status: 400, body: { error: 'use_dpop_nonce' }, headers: { 'dpop-nonce': 'n-1' } };

  it('sends a proof, and returns the key with the tokens', async () => {
    const dpop = await dpopSigner();
    const { http, tokens } = ask({ tools: { dpop }, answer: () => ({ body: bound }) });
    expect(await tokens).toMatchObject({ tokenType: 'DPoP', dpopKey: dpop.key });
    const proof = http.sent[0]?.headers?.dpop ?? '';
    expect(decodeProtectedHeader(proof).typ).toBe('dpop+jwt');
    const { htm, htu, ath, nonce } = decodeJwt(proof);
    expect({ htm, htu, ath, nonce }).toEqual({ htm: 'POST', htu: 'https://auth.example/token' });
  });

  it('rejects a token that is not bound to the key', async () => {
    const dpop = await dpopSigner();
    const error = await failureOf(ask({ tools: { dpop }, answer: () => ({ body: granted }) }).tokens);
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
  });

  it('accepts an unbound token if mayBeUnbound is set', async () => {
    const tools = { dpop: await dpopSigner(), mayBeUnbound: true };
    const unbound = await ask({ tools, answer: () => ({ body: granted }) }).tokens;
    expect(unbound).toMatchObject({ tokenType: 'Bearer', dpopKey: undefined });
    const { tokens } = ask({ tools, answer: () => ({ body: bound }) });
    expect(await tokens).toMatchObject({ tokenType: 'DPoP', dpopKey: tools.dpop.key });
    const other = ask({ tools, answer: () => ({ body: { ...granted, token_type: 'mac' } }) });
    expect(await failureOf(other.tokens)).toMatchObject({ reason: 'unsupported' });
  });

  it.each([400, 401])(
    'repeats the request with the nonce of HTTP %i, with a new proof and assertion',
    async (status) => {
      const dpop = await dpopSigner();
      const { privateKey } = await generateKeyPair('ES256', { extractable: true });
      const { http, tokens } = ask({
        tools: { dpop },
        client: { key: { key: await exportJWK(privateKey) } },
        server: { tokenEndpointAuthMethods: ['private_key_jwt'] },
        answer: (_request, count) => (count === 1 ? { ...wantsNonce, status } : { body: bound }),
      });
      expect((await tokens).accessToken).toBe('at-1');
      const [first, second] = http.sent.map(({ headers }) => decodeJwt(headers?.dpop ?? ''));
      expect([first?.nonce, second?.nonce]).toEqual([undefined, 'n-1']);
      expect(first?.jti).not.toBe(second?.jti);
      const assertions = http.sent.map((sent) => decodeJwt(formOf(sent).client_assertion ?? '').jti);
      expect(new Set(assertions).size).toBe(2);
    },
  );

  it('repeats the request only once, even if the nonce changes', async () => {
    const dpop = await dpopSigner();
    const { http, tokens } = ask({
      tools: { dpop },
      answer: (_request, count) => ({ ...wantsNonce, headers: { 'dpop-nonce': `n-${count}` } }),
    });
    expect(await failureOf(tokens)).toMatchObject({ reason: 'refused', oauthError: 'use_dpop_nonce' });
    expect(http.sent).toHaveLength(2);
  });

  it.each([
    ['there is no nonce', { ...wantsNonce, headers: {} }],
    ['the error is another one', { ...wantsNonce, body: { error: 'invalid_dpop_proof' } }],
    ['the server fails', { ...wantsNonce, status: 500 }],
  ])('does not repeat the request if %s', async (_what, answer) => {
    const { http, tokens } = ask({ tools: { dpop: await dpopSigner() }, answer: () => answer });
    expect(await failureOf(tokens)).toMatchObject({ name: 'AuthError' });
    expect(http.sent).toHaveLength(1);
  });

  it('does not repeat the request without a key', async () => {
    const { http, tokens } = ask({ answer: () => wantsNonce });
    expect(await failureOf(tokens)).toMatchObject({ oauthError: 'use_dpop_nonce' });
    expect(http.sent).toHaveLength(1);
  });

  it('uses the nonce of a successful response for the next request', async () => {
    const dpop = await dpopSigner();
    const answer = () => ({ body: bound, headers: { 'dpop-nonce': 'n-next' } });
    await ask({ tools: { dpop }, answer }).tokens;
    const { http, tokens } = ask({ tools: { dpop }, answer });
    await tokens;
    expect(decodeJwt(http.sent[0]?.headers?.dpop ?? '').nonce).toBe('n-next');
  });
});

describe('errors of requestTokens', () => {
  const own: Readonly<Record<string, string>> = {
    code: 'code-of-the-user-0815',
    code_verifier: 'verifier~that.only_we-know',
    refresh_token: 'refresh token/with+signs=',
    assertion: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ3b3JrbG9hZCJ9.c2lnbmF0dXJlLTEyMzQ',
    subject_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJlLTU2Nzg',
    of_their_own: 'an unknown field that may be secret',
  };
  const statuses = [200, 302, 400, 401, 403, 500];

  it.each(['client_secret_basic', 'client_secret_post', 'private_key_jwt'])(
    'contain no secret of %s, even if the server repeats it',
    async (method) => {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true });
      const repeating = (sent: OauthRequest, count: number, secrets: readonly string[]): FakeAnswer => {
        const text = secrets[count % secrets.length] ?? '';
        const bodies: unknown[] = [
          { error: 'invalid_grant', error_description: `saw ${text}` },
          { error: text },
          { access_token: text, token_type: text },
          { access_token: `${text}\n`, token_type: 'Bearer', scope: [text] },
          { error: 'invalid_client', error_description: sent.body },
          { error: 'invalid_client', error_description: sent.headers?.authorization },
          text,
        ];
        return { body: bodies[count % bodies.length], status: statuses[count % statuses.length] ?? 400 };
      };
      for (let count = 0; count < 7 * 6 * 5; count++) {
        let secrets: readonly string[] = [];
        const { tokens } = ask({
          client: { key: { key: privateKey } },
          server: { tokenEndpointAuthMethods: [method] },
          params: { grant_type: 'x', ...own },
          answer: (sent) => {
            const basic = sent.headers?.authorization?.slice('Basic '.length);
            const signed = formOf(sent).client_assertion;
            secrets = [secret, ...Object.values(own), basic, signed].filter((text) => text !== undefined);
            return repeating(sent, count, secrets);
          },
        });
        const error = await tokens.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) continue;
        for (const text of secrets) {
          expect(allTextsOf(error)).not.toContain(text);
          expect(allTextsOf(error)).not.toContain(encodeURIComponent(text));
        }
      }
    },
  );
});
