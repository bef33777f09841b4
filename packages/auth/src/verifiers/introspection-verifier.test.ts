import { otherBounds } from '@tenon/foundation';
import type { GuardedRequest } from '@tenon/mcp-protocol';
import { decodeJwt, exportPKCS8 } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Scripted, ScriptedHttp } from '../../test/http/scripted-http.js';
import { createSigner } from '../../test/server/signer.js';
import { AuthError } from '../auth-error.js';
import type { IntrospectionVerifierOptions } from './introspection-options.js';
import { introspectionVerifier } from './introspection-verifier.js';
import type { TokenRealm, Verify } from './verify.js';

const endpoint = 'https://auth.example/introspect';
const resource = 'https://mcp.example/mcp';
const request: GuardedRequest = { method: 'POST', url: '/mcp', header: () => undefined };

let now: number;
let http: ScriptedHttp;
let answer: Scripted | (() => Promise<Scripted>);
let realm: TokenRealm;

const start = 1_800_000_000_000;
const good = {
  active: true,
  sub: 'alice',
  aud: resource,
  exp: start / 1_000 + 600,
  client_id: 'app',
  scope: 'read',
};

beforeEach(() => {
  now = start;
  answer = { body: good };
  http = new ScriptedHttp().on(endpoint, () => (typeof answer === 'function' ? answer() : answer));
  realm = {
    resource,
    authorizationServers: ['https://auth.example'],
    clock: { now: () => now, schedule: () => () => {} },
  };
});

function verifier(
  options: Partial<IntrospectionVerifierOptions> = {},
): (token?: string) => ReturnType<Verify> {
  const verify = introspectionVerifier({
    endpoint,
    client: { clientId: 'this server', clientSecret: 's:e cret' },
    http,
    ...options,
  });
  return (token = 'opaque') => verify(token, request, realm);
}

describe('introspectionVerifier', () => {
  it('authenticates this server, and sends the token only in the body', async () => {
    expect(await verifier()('opaque&token')).toEqual({
      id: 'alice',
      issuer: 'https://auth.example',
      clientId: 'app',
      scopes: ['read'],
      expiresAt: start + 630_000,
      claims: { ...good, active: undefined },
    });
    const [sent] = http.requests;
    expect(sent).toMatchObject({
      method: 'POST',
      body: 'token=opaque%26token&token_type_hint=access_token',
      headers: { authorization: `Basic ${btoa('this+server:s%3Ae+cret')}`, accept: 'application/json' },
    });
  });

  it('authenticates with an assertion if there is a key', async () => {
    const { privateKey } = await createSigner();
    const client = { clientId: 'me', key: { key: await exportPKCS8(privateKey), alg: 'ES256' } };
    await verifier({ client })();
    const form = new URLSearchParams(http.requests[0]?.body);
    expect(decodeJwt(form.get('client_assertion') ?? '')).toMatchObject({
      iss: 'me',
      sub: 'me',
      aud: 'https://auth.example',
    });
    expect(http.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each<[string, object, string]>([
    ['that is not active', { active: false }, 'not active'],
    ['for another server', { aud: 'https://other.example' }, 'another server'],
    ['without an audience', { aud: undefined }, 'no audience (aud)'],
    ['of another issuer', { iss: 'https://evil.example' }, 'not issued by'],
    ['of an issuer with a trailing slash', { iss: 'https://auth.example/' }, 'not issued by'],
    ['that has expired', { exp: start / 1_000 - 30 }, 'expired'],
    ['that is not valid yet', { nbf: start / 1_000 + 31 }, 'not valid yet'],
    ['without a caller', { sub: undefined, client_id: undefined }, 'does not identify its caller'],
    ['of another type', { token_type: 'N_A' }, 'not an access token'],
    ['that is a refresh token', { token_use: 'refresh_token' }, 'not an access token'],
    ['bound to a certificate', { cnf: { 'x5t#S256': 'thumb' } }, 'cannot check'],
  ])('rejects a token %s', async (_what, changed, why) => {
    answer = { body: { ...good, ...changed } };
    expect(await verifier()()).toEqual({ rejected: expect.stringContaining(why) });
  });

  it.each<[string, object]>([
    ['with its issuer', { iss: 'https://auth.example' }],
    ['of the type Bearer', { token_type: 'bearer' }],
    ['without an expiry', { exp: undefined }],
    ['for several servers', { aud: ['https://other.example', resource] }],
  ])('accepts a token %s', async (_what, changed) => {
    answer = { body: { ...good, ...changed } };
    expect(await verifier()()).toMatchObject({ id: 'alice' });
  });

  it('returns the key that a token is bound to', async () => {
    answer = { body: { ...good, token_type: 'DPoP', cnf: { jkt: 'thumb' } } };
    expect(await verifier()()).toMatchObject({ boundKey: 'thumb' });
  });

  it('accepts a response without audience only with onlyThisResource', async () => {
    answer = { body: { ...good, aud: undefined } };
    const only = verifier({ onlyThisResource: true });
    expect(await only()).toMatchObject({ id: 'alice' });
    answer = { body: { ...good, aud: 'https://other.example' } };
    expect(await only('another')).toEqual({ rejected: 'The token is for another server.' });
  });
});

describe('introspectionVerifier cache', () => {
  it('keeps a valid token for a minute, at most until it expires', async () => {
    const verify = verifier();
    await verify();
    now += 59_999;
    await verify();
    expect(http.requests).toHaveLength(1);
    now += 1;
    answer = { body: { ...good, exp: now / 1_000 - 20 } };
    expect(await verify()).toMatchObject({ id: 'alice' });
    expect(http.requests).toHaveLength(2);
    now += 10_000;
    expect(await verify()).toEqual({ rejected: 'The token has expired.' });
  });

  it('keeps an invalid token for ten seconds', async () => {
    const verify = verifier();
    answer = { body: { active: false } };
    await verify();
    answer = { body: good };
    now += 9_999;
    expect(await verify()).toEqual({ rejected: 'The token is not active.' });
    now += 1;
    expect(await verify()).toMatchObject({ id: 'alice' });
    expect(http.requests).toHaveLength(2);
  });

  it('sends one request for calls at the same time', async () => {
    const verify = verifier({ cacheMaxAge: 0 });
    // A call needs a few turns to look into the cache; the response needs more.
    answer = async () => {
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
      return { body: good };
    };
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => verify()));
    expect(new Set(verdicts.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(http.requests).toHaveLength(1);
    await verify();
    expect(http.requests).toHaveLength(2);
  });

  it('keeps valid tokens in spite of many invalid ones', async () => {
    const verify = verifier(otherBounds({ cacheEntries: 5 }));
    await verify('good');
    answer = { body: { active: false } };
    for (let token = 0; token < 50; token++) await verify(`bad-${token}`);
    expect(await verify('good')).toMatchObject({ id: 'alice' });
  });

  it('limits the running and waiting requests', async () => {
    const verify = verifier(otherBounds({ concurrency: 2, waiting: 3 }));
    let open = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    answer = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => ends.push(resolve));
      open -= 1;
      return { body: good };
    };
    const all = Array.from({ length: 8 }, (_, token) => Promise.resolve(verify(`token-${token}`)));
    const settled = Promise.allSettled(all);
    while (ends.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (let ended = 0; ended < 5; ended++) {
      while (ends.length <= ended) await new Promise((resolve) => setImmediate(resolve));
      ends[ended]?.();
    }
    const outcomes = (await settled).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(5);
    expect(most).toBe(2);
    await expect(all.at(-1)).rejects.toMatchObject({ reason: 'unreachable' });
  });
});

describe('introspectionVerifier without a usable response', () => {
  it.each<[string, Scripted]>([
    ['another status', { status: 500, body: { active: false } }],
    ['a refusal of the credentials', { status: 401, body: { active: false } }],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }],
    ['a body that is not JSON', { body: '<html>' }],
    ['an array', { body: [] }],
    ['active as a string', { body: { ...good, active: 'true' } }],
    ['active as a number', { body: { ...good, active: 1 } }],
    ['no active', { body: { ...good, active: undefined } }],
  ])('rejects on %s, and asks again the next time', async (_what, bad) => {
    const verify = verifier();
    answer = bad;
    await expect(verify()).rejects.toThrow(AuthError);
    answer = { body: good };
    expect(await verify()).toMatchObject({ id: 'alice' });
  });

  it('rejects if the endpoint is unreachable', async () => {
    answer = () => Promise.reject(new AuthError('unreachable', 'It takes too long.'));
    await expect(verifier()()).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('requires the option issuer if there are several authorization servers', async () => {
    realm = { ...realm, authorizationServers: ['https://a.example', 'https://b.example'] };
    expect(() => verifier()()).toThrow('set the option issuer');
    expect(await verifier({ issuer: 'https://b.example' })()).toMatchObject({ issuer: 'https://b.example' });
  });
});

it('rejects invalid options', () => {
  const cases: readonly [object, string][] = [
    [{ endpoint: 'http://auth.example/introspect' }, 'endpoint must be an https address'],
    [{ endpoint: undefined }, 'endpoint must be'],
    [{ client: { clientId: 'me' } }, 'a clientSecret or a key'],
    [{ client: { clientId: 'me', clientSecret: 'x', authMethod: 'none' } }, 'a clientSecret or a key'],
    [{ client: undefined }, 'a clientSecret or a key'],
    [{ audience: [] }, 'a list of at least one'],
    [{ cacheMaxAge: -1 }, 'a number'],
    [{ issuer: 'auth.example' }, 'issuer must be'],
    [{ cacheTime: 1 }, 'no option "cacheTime"'],
  ];
  for (const [options, why] of cases) expect(() => verifier(options), why).toThrow(why);
});
