import { inspect } from 'node:util';
import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { failureOf, someDay } from '../../test/client/grant-tools.js';
import { dpopSigner } from './dpop.js';
import type { DpopSigner } from './es256-signer.js';

const clock = new FakeClock();
clock.stall(someDay + 500);
const url = 'https://user:pw@mcp.example:443/mcp/a%20b?session=1#part';

async function opened(signer: DpopSigner, proof: string) {
  const { d: _, ...publicKey } = signer.key as Record<string, string>;
  return jwtVerify(proof, await importJWK(publicKey, 'ES256'), { currentDate: new Date(someDay) });
}

describe('dpopSigner', () => {
  it('creates a proof for one request (RFC 9449, section 4.2)', async () => {
    const signer = await dpopSigner({ clock });
    const { payload, protectedHeader } = await opened(signer, await signer.proof({ method: 'POST', url }));
    expect(payload).toEqual({
      htm: 'POST',
      htu: 'https://mcp.example/mcp/a%20b',
      iat: someDay / 1_000,
      jti: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'dpop+jwt' });
    expect(Object.keys(protectedHeader.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
  });

  it('adds the hash of the access token (RFC 9449, appendix)', async () => {
    const signer = await dpopSigner({ clock });
    const accessToken = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU';
    for (let time = 0; time < 2; time++) {
      const { payload } = await opened(signer, await signer.proof({ method: 'GET', url, accessToken }));
      expect(payload.ath).toBe('fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo');
    }
    const [one, other] = await Promise.all(
      ['token-1', 'token-2'].map((text) => signer.proof({ method: 'GET', url, accessToken: text })),
    );
    expect((await opened(signer, one ?? '')).payload.ath).not.toBe(
      (await opened(signer, other ?? '')).payload.ath,
    );
  });

  it('creates a different proof each time', async () => {
    const signer = await dpopSigner({ clock });
    const proofs = await Promise.all(Array.from({ length: 50 }, () => signer.proof({ method: 'POST', url })));
    const ids = await Promise.all(proofs.map(async (proof) => (await opened(signer, proof)).payload.jti));
    expect(new Set(ids).size).toBe(50);
  });

  it('uses the last nonce of each origin only for that origin', async () => {
    const signer = await dpopSigner({ clock });
    signer.nonce('https://mcp.example', 'n-1');
    signer.nonce('https://mcp.example', 'n-2');
    signer.nonce('https://auth.example', 'n-3');
    const nonceAt = async (at: string) =>
      (await opened(signer, await signer.proof({ method: 'GET', url: at }))).payload.nonce;
    expect(await nonceAt('https://mcp.example/mcp')).toBe('n-2');
    expect(await nonceAt('https://auth.example/token?x=1')).toBe('n-3');
    expect(await nonceAt('https://mcp.example:8443/mcp')).toBeUndefined();
    expect(await nonceAt('http://mcp.example/mcp')).toBeUndefined();
  });

  it.each(['', 'a b', 'a"b', 'a\\b', 'a\r\nb', 'n\u00e9', 'n'.repeat(1_025)])(
    'ignores the malformed nonce %j',
    async (nonce) => {
      const signer = await dpopSigner({ clock });
      signer.nonce('https://mcp.example', 'good');
      signer.nonce('https://mcp.example', nonce);
      expect((await opened(signer, await signer.proof({ method: 'GET', url }))).payload.nonce).toBe('good');
    },
  );

  it('remembers the nonces of the last 32 origins', async () => {
    const signer = await dpopSigner({ clock });
    const others = Array.from({ length: 30 }, (_, at) => `other-${at}`);
    for (const name of ['a', 'b', ...others, 'a', 'c']) signer.nonce(`https://${name}.example`, `n-${name}`);
    const known = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const proof = await signer.proof({ method: 'GET', url: `https://${name}.example/` });
        return (await opened(signer, proof)).payload.nonce;
      }),
    );
    expect(known).toEqual(['n-a', undefined, 'n-c']);
  });

  it('accepts its key from JSON', async () => {
    const first = await dpopSigner({ clock });
    const again = await dpopSigner({ clock, key: JSON.parse(JSON.stringify(first.key)) });
    const { jwk } = decodeProtectedHeader(await again.proof({ method: 'GET', url }));
    expect(await calculateJwkThumbprint(jwk ?? {})).toBe(await calculateJwkThumbprint(first.key));
    const other = await dpopSigner({ clock });
    expect(await calculateJwkThumbprint(other.key)).not.toBe(await calculateJwkThumbprint(first.key));
  });

  it('does not reveal the private key in proofs, or when it is printed', async () => {
    const signer = await dpopSigner({ clock });
    const d = (signer.key as { d: string }).d;
    expect(JSON.stringify(decodeProtectedHeader(await signer.proof({ method: 'GET', url })))).not.toContain(
      d,
    );
    expect(inspect(signer, { depth: 9, showHidden: true })).not.toContain(d);
    expect(JSON.stringify(signer)).not.toContain(d);
  });

  it.each([
    ['on another curve', { kty: 'EC', crv: 'P-384', x: 'x', y: 'y', d: 'd' }],
    ['of another type', { kty: 'oct', k: 'c2VjcmV0' }],
    ['that is public', { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }],
    ['that is broken', { kty: 'EC', crv: 'P-256', x: 'private-x', y: 'private-y', d: 'private-d' }],
    ['with members that are not strings', { kty: 'EC', crv: 'P-256', x: 1, y: 2, d: 'private-d' }],
  ])('rejects a stored key %s, without quoting it', async (_what, key) => {
    const error = await failureOf(dpopSigner({ clock, key: key as object }));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'storage' });
    expect((error as Error).message).not.toContain('private-');
  });
});
