import type { JsonObject } from '@tenon/mcp-protocol';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSigner, forged, signWith } from '../../../test/signer.js';
import { digestOf } from '../../client/digest.js';
import type { PresentedProof, ProofCheck, TokenRealm } from '../verify.js';
import { type DpopCheckOptions, dpopCheck } from './proof-check.js';

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
let count = 0;

beforeEach(() => {
  now = 1_800_000_000_000;
  realm = {
    resource: url,
    authorizationServers: [],
    clock: { now: () => now, schedule: () => () => {} },
  };
  check = dpopCheck();
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

async function told(value: string, changed: Partial<PresentedProof> = {}): Promise<string> {
  const flaw = await ask(value, changed);
  return flaw?.error === undefined ? 'taken' : `${flaw.error}: ${flaw.description}`;
}

describe('a proof that holds', () => {
  it('is taken', async () => {
    expect(await ask(await proof())).toBeUndefined();
  });

  it.each([
    ['with an address that is written otherwise', { htu: 'HTTPS://MCP.example:443/mcp?query#part' }],
    ['that is nearly too old', { iat: 1_799_999_940 }],
    ['of a clock that is ahead', { iat: 1_800_000_030 }],
    ['with claims nobody asked for', { nonce: 'anything', more: { than: 'needed' } }],
  ])('is taken %s', async (_what, changed) => {
    expect(await told(await proof(changed))).toBe('taken');
  });

  it('is taken from a key of another kind', async () => {
    const { kty, n, e } = rsa.jwk;
    const value = await rsa.sign(good(), { typ: 'dpop+jwt', jwk: { kty, n, e } });
    expect(await told(value, { boundKey: await calculateJwkThumbprint(rsa.jwk) })).toBe('taken');
  });
});

describe('a proof that is refused', () => {
  it.each<[string, object, string]>([
    ['is for another method', { htm: 'GET' }, 'another method'],
    ['writes the method in small letters', { htm: 'post' }, 'another method'],
    ['is for another path', { htu: 'https://mcp.example/other' }, 'another address'],
    ['is for another host', { htu: 'https://evil.example/mcp' }, 'another address'],
    ['is for another scheme', { htu: 'http://mcp.example/mcp' }, 'another address'],
    ['is for another port', { htu: 'https://mcp.example:8443/mcp' }, 'another address'],
    [
      'has ours in the path of another',
      { htu: 'https://evil.example/https://mcp.example/mcp' },
      'another address',
    ],
    ['has ours for a user name', { htu: 'https://mcp.example@evil.example/mcp' }, 'another address'],
    ['has no address', { htu: undefined }, 'another address'],
    ['has a list of addresses', { htu: [url] }, 'another address'],
    ['is for another token', { ath: 'A'.repeat(43) }, 'another token'],
    ['is for no token', { ath: undefined }, 'another token'],
    ['is stale', { iat: 1_799_999_939 }, 'too old'],
    ['is from the future', { iat: 1_800_000_031 }, 'in the future'],
    ['does not say when it was made', { iat: undefined }, 'when it was made'],
    ['says so in a text', { iat: '1800000000' }, 'is not signed'],
    ['has no id', { jti: undefined }, 'jti'],
    ['has an id that is no text', { jti: 7 }, 'jti'],
    ['has an id beyond use', { jti: 'x'.repeat(129) }, 'jti'],
    ['has expired by its own account', { exp: 1_799_999_000 }, 'time is over'],
  ])('because it %s', async (_what, changed, why) => {
    expect(await told(await proof(changed))).toMatch(new RegExp(`^invalid_dpop_proof: .*${why}`));
  });

  it.each<[string, object, string]>([
    ['type of an access token', { typ: 'at+jwt' }, 'type of the proof'],
    ['no type', { typ: undefined }, 'type of the proof'],
    ['no key', { jwk: undefined }, 'public key'],
    ['its private part', { jwk: { ...jwk, d: 'AAAA' } }, 'public key'],
    ['a symmetric key', { jwk: { kty: 'oct', k: 'c2VjcmV0' } }, 'public key'],
    ['the key of somebody else', { jwk: { ...jwk, x: stranger.jwk.x, y: stranger.jwk.y } }, 'another key'],
    ['a key that must not be used so', { jwk: { ...jwk, use: 'enc' } }, 'not signed'],
    ['a key for another algorithm', { jwk: { ...jwk, alg: 'ES384' } }, 'not signed'],
    ['a key for nothing', { jwk: { ...jwk, key_ops: [] } }, 'not signed'],
  ])('because its header has %s', async (_what, header, why) => {
    expect(await told(await proof({}, header))).toMatch(new RegExp(`^invalid_dpop_proof: .*${why}`));
  });

  it('because it has a critical header', async () => {
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk, crit: ['b64'], b64: true };
    expect(await told(forged(header, good(), 'AAAA'))).toContain('critical header');
  });

  it('because somebody else signed it', async () => {
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk };
    expect(await told(await signWith(stranger.privateKey, good(), header))).toContain('not signed');
  });

  it('because it was changed after it was signed', async () => {
    const [head, , signature] = (await proof()).split('.');
    const [, claims] = (await proof({ htm: 'GET' })).split('.');
    expect(await told(`${head}.${claims}.${signature}`, { method: 'GET' })).toContain('not signed');
  });

  it.each(['none', 'None', 'NONE', 'nOnE', 'HS256', 'HS512', 'dir', 'RSA-OAEP', '', '__proto__'])(
    'because its algorithm is %j',
    async (alg) => {
      expect(await told(forged({ typ: 'dpop+jwt', alg, jwk }, good()))).toContain(
        'in a way that is not taken',
      );
    },
  );

  it('because the public key was used for a secret', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const value = await signWith(secret, good(), { alg: 'HS256', typ: 'dpop+jwt', jwk });
    expect(await told(value)).toContain('in a way that is not taken');
  });

  it('because its signature is not among those that are taken', async () => {
    check = dpopCheck({ algorithms: ['ES384'] });
    expect(check.algs).toEqual(['ES384']);
    expect(await told(await proof())).toContain('in a way that is not taken');
  });

  it.each([
    ['', 'nothing'],
    ['a.b.c', 'what is no JWT'],
    ['....', 'points'],
    ['x'.repeat(8_193), 'what is longer than a proof'],
  ])('%#: because it is none', async (value) => {
    expect(await told(value)).toBe('invalid_dpop_proof: The proof is no signed JWT.');
  });

  it('because the token is bound to another key', async () => {
    expect(await told(await proof(), { boundKey: await calculateJwkThumbprint(stranger.jwk) })).toContain(
      'another key',
    );
  });
});

describe('a proof that comes twice', () => {
  it('is refused', async () => {
    const value = await proof();
    expect(await told(value)).toBe('taken');
    expect(await told(value)).toContain('was used before');
  });

  it('is refused when both come at the same time', async () => {
    const value = await proof();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => told(value)));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
  });

  it('is remembered for as long as it is not too old', async () => {
    const value = await proof({ iat: now / 1_000 + 30 });
    expect(await told(value)).toBe('taken');
    now += 90_000;
    expect(await told(value)).toContain('was used before');
    now += 1_000;
    expect(await told(value)).toContain('too old');
  });

  it('is refused for its id alone, whatever else it says', async () => {
    expect(await told(await proof({ jti: 'same' }))).toBe('taken');
    expect(await told(await proof({ jti: 'same', more: 1 }))).toContain('was used before');
  });

  it('takes up no room as long as it does not hold', async () => {
    const remembered: unknown[] = [];
    const replays = { remember: (...seen: unknown[]) => remembered.push(seen) > 0 };
    check = dpopCheck({ replays });
    await told(await proof({ htm: 'GET' }));
    await told(forged({ typ: 'dpop+jwt', alg: 'ES256', jwk }, good(), 'AAAA'));
    expect(remembered).toEqual([]);
    await told(await proof({ jti: 'held' }));
    expect(remembered).toEqual([[boundKey, 'held', 60_001]]);
  });

  it('lets nobody in when nobody can tell', async () => {
    check = dpopCheck({ replays: { remember: () => Promise.reject(new Error('The store is away.')) } });
    await expect(ask(await proof())).rejects.toThrow('The store is away.');
  });
});

describe('a proof with a nonce', () => {
  const options: DpopCheckOptions = { nonce: { lifetime: 60_000 } };

  it('is asked for, and taken until the nonce after the next', async () => {
    check = dpopCheck(options);
    const flaw = await ask(await proof());
    expect(flaw).toMatchObject({ error: 'use_dpop_nonce', nonce: expect.stringMatching(/^[\w-]{43}$/) });
    const nonce = flaw?.nonce;
    expect(await told(await proof({ nonce }))).toBe('taken');
    now += 60_000;
    expect(await told(await proof({ nonce }))).toBe('taken');
    now += 60_000;
    const later = await ask(await proof({ nonce }));
    expect(later?.error).toBe('use_dpop_nonce');
    expect(later?.nonce).not.toBe(nonce);
  });

  it('tells the next one before it refuses the present one', async () => {
    check = dpopCheck(options);
    const first = (await ask(await proof()))?.nonce;
    expect(await ask(await proof({ nonce: first }))).toBeUndefined();
    now += 60_000;
    const next = await ask(await proof({ nonce: first }));
    expect(next).toEqual({ nonce: expect.stringMatching(/^[\w-]{43}$/) });
    expect(next?.nonce).not.toBe(first);
    expect(await ask(await proof({ nonce: next?.nonce }))).toBeUndefined();
  });

  it.each(['', 'guessed', 7, ['x'], { a: 1 }])('is refused with %j', async (nonce) => {
    check = dpopCheck(options);
    expect((await ask(await proof({ nonce })))?.error).toBe('use_dpop_nonce');
  });
});

describe('dpopCheck', () => {
  it('takes no options that cannot work', () => {
    const cases: readonly [object, string][] = [
      [{ algorithms: ['HS256'] }, 'algorithms must be one or more of'],
      [{ algorithms: [] }, 'algorithms must be one or more of'],
      [{ clockTolerance: 3_600_000 }, 'from 0 to 300,000'],
      [{ maxAge: 0 }, 'a positive number'],
      [{ replay: {} }, 'no option "replay"'],
      [{ nonce: { secret: 'short' } }, '32 bytes or more'],
      [{ nonce: { length: 1 } }, 'no option "length"'],
    ];
    for (const [options, why] of cases) expect(() => dpopCheck(options)).toThrow(why);
  });

  it('never repeats anything of a proof', async () => {
    const secret = JSON.stringify(await exportJWK(signer.privateKey));
    const flaw = await ask(await proof({ htm: secret, jti: secret }));
    expect(JSON.stringify(flaw)).not.toContain(secret.slice(0, 40));
  });
});
