import type { JsonObject } from '@tenon/mcp-protocol';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSigner, forged, signWith } from '../../test/server/signer.js';
import { digestOf } from '../oauth/secrets.js';
import { type DpopCheckOptions, dpopCheck, targetUri } from './proof-check.js';
import type { PresentedProof, ProofCheck, TokenRealm } from './verify.js';

const signer = await createSigner();
const stranger = await createSigner();
const rsa = await createSigner('rsa', 'RS256');
const { kty, crv, x, y } = signer.jwk;
const jwk = { kty, crv, x, y };
const boundKey = await calculateJwkThumbprint(signer.jwk);
const token = 'an-access-token';
const ath = await digestOf(token);
const url = 'https://mcp.example/mcp';

let now: number;
let realm: TokenRealm;
let check: ProofCheck;
let memory: SharedMemory;
let count = 0;

beforeEach(() => {
  now = 1_800_000_000_000;
  realm = {
    resource: url,
    authorizationServers: [],
    clock: { now: () => now, schedule: () => () => {} },
  };
  check = dpopCheck();
  memory = new SharedMemory();
});

function good(): JsonObject {
  count += 1;
  return { jti: `proof-${count}`, htm: 'POST', htu: url, iat: now / 1_000, ath };
}

function proof(changed: object = {}, header: object = {}): Promise<string> {
  const claims = JSON.parse(JSON.stringify({ ...good(), ...changed })) as JsonObject;
  return signer.sign(claims, { typ: 'dpop+jwt', kid: undefined, jwk, ...header });
}

function ask(value: string, changed: Partial<PresentedProof> = {}) {
  return check.check({ proof: value, method: 'POST', url, token, boundKey, ...changed }, realm);
}

async function verdictOf(value: string, changed: Partial<PresentedProof> = {}): Promise<string> {
  const problem = await ask(value, changed);
  return problem?.error === undefined ? 'taken' : `${problem.error}: ${problem.description}`;
}

describe('dpopCheck with a valid proof', () => {
  it('accepts the proof', async () => {
    expect(await ask(await proof())).toBeUndefined();
  });

  it.each([
    ['with another spelling of the URL', { htu: 'HTTPS://MCP.example:443/mcp?query#part' }],
    ['that is nearly too old', { iat: 1_799_999_940 }],
    ['from a clock that is ahead', { iat: 1_800_000_030 }],
    ['with further claims', { nonce: 'anything', more: { than: 'needed' } }],
  ])('accepts a proof %s', async (_what, changed) => {
    expect(await verdictOf(await proof(changed))).toBe('taken');
  });

  it('accepts a proof with an RSA key', async () => {
    const { kty, n, e } = rsa.jwk;
    const value = await rsa.sign(good(), { typ: 'dpop+jwt', jwk: { kty, n, e } });
    expect(await verdictOf(value, { boundKey: await calculateJwkThumbprint(rsa.jwk) })).toBe('taken');
  });
});

describe('dpopCheck with an invalid proof', () => {
  it.each<[string, object, string]>([
    ['is for another method', { htm: 'GET' }, 'another method'],
    ['has the method in lower case', { htm: 'post' }, 'another method'],
    ['is for another path', { htu: 'https://mcp.example/other' }, 'another address'],
    ['is for another host', { htu: 'https://evil.example/mcp' }, 'another address'],
    ['is for another scheme', { htu: 'http://mcp.example/mcp' }, 'another address'],
    ['is for another port', { htu: 'https://mcp.example:8443/mcp' }, 'another address'],
    [
      'contains the URL in the path of another',
      { htu: 'https://evil.example/https://mcp.example/mcp' },
      'another address',
    ],
    ['contains the host as a user name', { htu: 'https://mcp.example@evil.example/mcp' }, 'another address'],
    ['has no URL', { htu: undefined }, 'another address'],
    ['has a list of URLs', { htu: [url] }, 'another address'],
    ['is for another token', { ath: 'A'.repeat(43) }, 'another token'],
    ['is for no token', { ath: undefined }, 'another token'],
    ['is too old', { iat: 1_799_999_939 }, 'too old'],
    ['is from the future', { iat: 1_800_000_031 }, 'in the future'],
    ['has no iat', { iat: undefined }, 'no time'],
    ['has a string as iat', { iat: '1800000000' }, 'is not signed'],
    ['has no jti', { jti: undefined }, 'jti'],
    ['has a jti that is not a string', { jti: 7 }, 'jti'],
    ['has a jti that is too long', { jti: 'x'.repeat(129) }, 'jti'],
    ['has an exp in the past', { exp: 1_799_999_000 }, 'it has expired'],
  ])('rejects a proof that %s', async (_what, changed, why) => {
    expect(await verdictOf(await proof(changed))).toMatch(new RegExp(`^invalid_dpop_proof: .*${why}`));
  });

  it.each<[string, object, string]>([
    ['the type of an access token', { typ: 'at+jwt' }, 'type of the proof'],
    ['no type', { typ: undefined }, 'type of the proof'],
    ['no key', { jwk: undefined }, 'public key'],
    ['a private key', { jwk: { ...jwk, d: 'AAAA' } }, 'public key'],
    ['a symmetric key', { jwk: { kty: 'oct', k: 'c2VjcmV0' } }, 'public key'],
    ['another key', { jwk: { ...jwk, x: stranger.jwk.x, y: stranger.jwk.y } }, 'another key'],
    ['a key for encryption', { jwk: { ...jwk, use: 'enc' } }, 'not signed'],
    ['a key for another algorithm', { jwk: { ...jwk, alg: 'ES384' } }, 'not signed'],
    ['a key without operations', { jwk: { ...jwk, key_ops: [] } }, 'not signed'],
  ])('rejects a header with %s', async (_what, header, why) => {
    expect(await verdictOf(await proof({}, header))).toMatch(new RegExp(`^invalid_dpop_proof: .*${why}`));
  });

  it('rejects a critical header', async () => {
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk, crit: ['b64'], b64: true };
    expect(await verdictOf(forged(header, good(), 'AAAA'))).toContain('critical header');
  });

  it('rejects the signature of another key', async () => {
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk };
    expect(await verdictOf(await signWith(stranger.privateKey, good(), header))).toContain('not signed');
  });

  it('rejects claims that were changed after signing', async () => {
    const [head, , signature] = (await proof()).split('.');
    const [, claims] = (await proof({ htm: 'GET' })).split('.');
    expect(await verdictOf(`${head}.${claims}.${signature}`, { method: 'GET' })).toContain('not signed');
  });

  it.each(['none', 'None', 'NONE', 'nOnE', 'HS256', 'HS512', 'dir', 'RSA-OAEP', '', '__proto__'])(
    'rejects the algorithm %j',
    async (alg) => {
      expect(await verdictOf(forged({ typ: 'dpop+jwt', alg, jwk }, good()))).toContain(
        'with an algorithm that is not accepted',
      );
    },
  );

  it('rejects an HMAC with the public key as secret', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const value = await signWith(secret, good(), { alg: 'HS256', typ: 'dpop+jwt', jwk });
    expect(await verdictOf(value)).toContain('with an algorithm that is not accepted');
  });

  it('rejects an algorithm that is not in the options', async () => {
    check = dpopCheck({ algorithms: ['ES384'] });
    expect(check.algs).toEqual(['ES384']);
    expect(await verdictOf(await proof())).toContain('with an algorithm that is not accepted');
  });

  it.each([
    ['', 'an empty text'],
    ['a.b.c', 'text with two dots'],
    ['....', 'only dots'],
    ['x'.repeat(8_193), 'a text that is too long'],
  ])('%#: rejects a text that is not a JWT', async (value) => {
    expect(await verdictOf(value)).toBe('invalid_dpop_proof: The proof is not a signed JWT.');
  });

  it('rejects a proof with another key than that of the token', async () => {
    expect(
      await verdictOf(await proof(), { boundKey: await calculateJwkThumbprint(stranger.jwk) }),
    ).toContain('another key');
  });
});

describe('dpopCheck with a repeated proof', () => {
  it('rejects it', async () => {
    const value = await proof();
    expect(await verdictOf(value)).toBe('taken');
    expect(await verdictOf(value)).toContain('was used before');
  });

  it('accepts it once if several requests come at the same time', async () => {
    const value = await proof();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => verdictOf(value)));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
  });

  it('remembers it until it is too old', async () => {
    const value = await proof({ iat: now / 1_000 + 30 });
    expect(await verdictOf(value)).toBe('taken');
    now += 90_000;
    expect(await verdictOf(value)).toContain('was used before');
    now += 1_000;
    expect(await verdictOf(value)).toContain('too old');
  });

  it('rejects another proof with the same jti', async () => {
    expect(await verdictOf(await proof({ jti: 'same' }))).toBe('taken');
    expect(await verdictOf(await proof({ jti: 'same', more: 1 }))).toContain('was used before');
  });

  it('does not remember invalid proofs', async () => {
    const state = memory.open();
    const written = vi.spyOn(state.kv, 'compareAndSet');
    check = dpopCheck({ state });
    await verdictOf(await proof({ htm: 'GET' }));
    await verdictOf(forged({ typ: 'dpop+jwt', alg: 'ES256', jwk }, good(), 'AAAA'));
    expect(written).not.toHaveBeenCalled();
    expect(await verdictOf(await proof({ jti: 'held' }))).toBe('taken');
    expect(written).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^use\//), expect.anything(), {
      expected: undefined,
      ttl: 60_001,
    });
  });

  it('rejects it at another process that shares the state', async () => {
    check = dpopCheck({ state: memory.open() });
    const value = await proof();
    expect(await verdictOf(value)).toBe('taken');
    check = dpopCheck({ state: memory.open() });
    expect(await verdictOf(value)).toContain('was used before');
    expect(await verdictOf(await proof())).toBe('taken');
  });

  it('rejects a proof when the state is unavailable', async () => {
    check = dpopCheck({ state: memory.open() });
    memory.interrupt();
    await expect(ask(await proof())).rejects.toThrow('State: it was interrupted.');
  });
});

describe('dpopCheck with nonces', () => {
  const options: DpopCheckOptions = { nonce: {} };

  it('requires a nonce, and accepts it until the one after the next', async () => {
    check = dpopCheck(options);
    const problem = await ask(await proof());
    expect(problem).toMatchObject({ error: 'use_dpop_nonce', nonce: expect.stringMatching(/^[\w-]{43}$/) });
    const nonce = problem?.nonce;
    expect(await verdictOf(await proof({ nonce }))).toBe('taken');
    now += 300_000;
    expect(await verdictOf(await proof({ nonce }))).toBe('taken');
    now += 300_000;
    const later = await ask(await proof({ nonce }));
    expect(later?.error).toBe('use_dpop_nonce');
    expect(later?.nonce).not.toBe(nonce);
  });

  it('returns the next nonce before it rejects the current one', async () => {
    check = dpopCheck(options);
    const first = (await ask(await proof()))?.nonce;
    expect(await ask(await proof({ nonce: first }))).toBeUndefined();
    now += 300_000;
    const next = await ask(await proof({ nonce: first }));
    expect(next).toEqual({ nonce: expect.stringMatching(/^[\w-]{43}$/) });
    expect(next?.nonce).not.toBe(first);
    expect(await ask(await proof({ nonce: next?.nonce }))).toBeUndefined();
  });

  it('accepts the nonce of another process that shares the state', async () => {
    check = dpopCheck({ ...options, state: memory.open() });
    const nonce = (await ask(await proof()))?.nonce;
    check = dpopCheck({ ...options, state: memory.open() });
    expect(await verdictOf(await proof({ nonce }))).toBe('taken');
    check = dpopCheck(options);
    expect((await ask(await proof({ nonce })))?.error).toBe('use_dpop_nonce');
  });

  it('rejects proofs while the state with the secret is unavailable, and accepts them later', async () => {
    check = dpopCheck({ ...options, state: memory.open() });
    memory.interrupt();
    await expect(ask(await proof())).rejects.toThrow('State: it was interrupted.');
    memory.restore();
    const nonce = (await ask(await proof()))?.nonce;
    expect(await verdictOf(await proof({ nonce }))).toBe('taken');
  });

  it.each(['', 'guessed', 7, ['x'], { a: 1 }])('rejects the nonce %j', async (nonce) => {
    check = dpopCheck(options);
    expect((await ask(await proof({ nonce })))?.error).toBe('use_dpop_nonce');
  });
});

describe('dpopCheck', () => {
  it('rejects invalid options', () => {
    const cases: readonly [object, string][] = [
      [{ algorithms: ['HS256'] }, 'algorithms must be one or more of'],
      [{ algorithms: [] }, 'algorithms must be one or more of'],
      [{ replay: {} }, 'no option "replay"'],
      [{ state: {} }, 'state must be shared state'],
      [{ nonce: { secret: 'short' } }, 'at least 32 bytes'],
      [{ nonce: { length: 1 } }, 'no option "length"'],
    ];
    for (const [options, why] of cases) expect(() => dpopCheck(options)).toThrow(why);
  });

  it('quotes no part of a proof', async () => {
    const secret = JSON.stringify(await exportJWK(signer.privateKey));
    const problem = await ask(await proof({ htm: secret, jti: secret }));
    expect(JSON.stringify(problem)).not.toContain(secret.slice(0, 40));
  });
});

it.each([
  ['HTTPS://MCP.Example:443/mcp?x=1#y', 'https://mcp.example/mcp'],
  ['https://mcp.example', 'https://mcp.example/'],
  ['https://mcp.example/%7Eme/%2f', 'https://mcp.example/~me/%2F'],
  ['https://mcp.example/a/../mcp', 'https://mcp.example/mcp'],
  ['http://127.0.0.1:8080/mcp', 'http://127.0.0.1:8080/mcp'],
])('normalizes %s to %s', (address, read) => {
  expect(targetUri(address)).toBe(read);
});

it('keeps different URLs different', () => {
  const all = [
    'https://mcp.example/mcp',
    'https://mcp.example/mcp/',
    'https://mcp.example/MCP',
    'http://mcp.example/mcp',
  ];
  expect(new Set(all.map(targetUri)).size).toBe(all.length);
});

it.each(['', 'mcp', '/mcp', 'ftp://mcp.example/mcp', 'https://me:secret@mcp.example/', 7, undefined])(
  'returns undefined for %s',
  (address) => {
    expect(targetUri(address)).toBeUndefined();
  },
);
