import { describe, expect, it } from 'vitest';
import { fakeServer } from '../../test/client/fake-authorization.js';
import { digestOf } from '../oauth/secrets.js';
import { authorizationUrl, createPkce, requirePkce } from './authorization-request.js';

const params = {
  clientId: 'client-1',
  redirectUri: 'http://127.0.0.1:4100/callback',
  resource: 'https://mcp.example/mcp',
  scopes: ['read', 'write'],
  state: 'the-state',
  challenge: 'the-challenge',
};
const at = (address: string) => fakeServer({ authorizationEndpoint: new URL(address) });

describe('authorizationUrl', () => {
  it('contains the parameters of the request', () => {
    const url = authorizationUrl(at('https://auth.example/authorize'), params);
    expect(url.origin + url.pathname).toBe('https://auth.example/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: 'http://127.0.0.1:4100/callback',
      resource: 'https://mcp.example/mcp',
      scope: 'read write',
      state: 'the-state',
      code_challenge: 'the-challenge',
      code_challenge_method: 'S256',
    });
  });

  it('leaves out the scope if none is requested', () => {
    const url = authorizationUrl(at('https://auth.example/authorize'), { ...params, scopes: undefined });
    expect(url.searchParams.has('scope')).toBe(false);
  });

  it('prompts for consent only on request, and only for offline_access', () => {
    const promptOf = (more: object) =>
      authorizationUrl(at('https://a.example/'), { ...params, ...more }).searchParams.get('prompt');
    const scopes = ['read', 'offline_access'];
    expect(promptOf({ scopes, asksConsent: true })).toBe('consent');
    expect(promptOf({ scopes })).toBeNull();
    expect(promptOf({ asksConsent: true })).toBeNull();
  });

  it('keeps the query of the endpoint, without duplicate parameters', () => {
    const endpoint = at(
      'https://auth.example/authorize?tenant=a%20b&state=theirs&state=again&client_id=x#frag',
    );
    const url = authorizationUrl(endpoint, params);
    expect(url.searchParams.getAll('tenant')).toEqual(['a b']);
    expect(url.searchParams.getAll('state')).toEqual(['the-state']);
    expect(url.searchParams.getAll('client_id')).toEqual(['client-1']);
    expect(url.hash).toBe('');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vscode://open'])(
    'rejects %s',
    (address) => {
      expect(() => authorizationUrl(at(address), params)).toThrow(
        expect.objectContaining({ reason: 'forbidden-address' }),
      );
    },
  );

  it('rejects a server without an authorization endpoint', () => {
    expect(() => authorizationUrl(fakeServer({ authorizationEndpoint: undefined }), params)).toThrow(
      expect.objectContaining({ reason: 'unsupported' }),
    );
  });
});

describe('requirePkce', () => {
  it.each([[undefined], [[]], [['plain']]])(
    'rejects a server with the methods %j',
    (codeChallengeMethods) => {
      expect(() => requirePkce(fakeServer({ codeChallengeMethods }))).toThrow(
        expect.objectContaining({ reason: 'unsupported' }),
      );
    },
  );

  it('accepts S256, and servers without metadata', () => {
    requirePkce(fakeServer({ codeChallengeMethods: ['plain', 'S256'] }));
    requirePkce(fakeServer({ codeChallengeMethods: undefined, assumed: true }));
  });
});

it('makes a new verifier of 43 unreserved characters, and its challenge', async () => {
  const [one, other] = await Promise.all([createPkce(), createPkce()]);
  expect(one.verifier).toMatch(/^[\w-]{43}$/);
  expect(one.challenge).toBe(await digestOf(one.verifier));
  expect(other.verifier).not.toBe(one.verifier);
});
