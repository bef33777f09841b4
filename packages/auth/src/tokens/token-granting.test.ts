import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { type FakeReply, Rig, serverUrl, taking } from '../../test/client/authorizer-rig.js';
import { fakeDiscovery } from '../../test/client/fake-authorization.js';

const request = { method: 'POST', url: `${serverUrl.href}?x=1` };
const able = { dpopSigningAlgs: ['ES256'] };
const challenge: FakeReply = { status: 401, authenticate: 'DPoP algs="ES256"' };

describe('TokenGranting with DPoP', () => {
  it('creates a proof for each request', async () => {
    const rig = new Rig();
    rig.found = fakeDiscovery({ resource: { dpopBound: true }, server: able });
    await rig.send(taking('access-1'));
    const sent = await Promise.all([rig.authorizer.authorize(request), rig.authorizer.authorize(request)]);
    expect(sent.map((headers) => headers?.authorization)).toEqual(['DPoP access-1', 'DPoP access-1']);
    const proofs = sent.map((headers) => decodeJwt(headers?.dpop ?? ''));
    expect(proofs[0]).toMatchObject({ htm: 'POST', htu: serverUrl.href });
    expect(proofs[0]?.jti).not.toBe(proofs[1]?.jti);
  });

  it.each([
    ['a challenge for DPoP', undefined, challenge, {}, 'DPoP'],
    ['the option dpop: true', true, { status: 401 }, {}, 'DPoP'],
    ['the option dpop: false', false, challenge, {}, 'Bearer'],
    ['no challenge for DPoP', undefined, { status: 401 }, {}, 'Bearer'],
    ['an authorization server without DPoP', undefined, challenge, { dpopSigningAlgs: undefined }, 'Bearer'],
  ] as const)('requests bound or unbound tokens with %s', async (...[, dpop, refused, server, scheme]) => {
    const rig = new Rig(dpop === undefined ? {} : { dpop });
    rig.found = fakeDiscovery({ server: { ...able, ...server } });
    await rig.send((token) => (token === undefined ? refused : { status: 200 }));
    expect((await rig.authorizer.authorize(request))?.authorization).toBe(`${scheme} access-1`);
  });

  it.each([
    [true, {}, false],
    [undefined, {}, true],
    [false, able, true],
  ])(
    'rejects before the sign-in if bound tokens are impossible (dpop: %s)',
    async (dpop, server, dpopBound) => {
      const rig = new Rig(dpop === undefined ? {} : { dpop });
      rig.found = fakeDiscovery({ server, resource: { dpopBound } });
      await expect(rig.send(taking())).rejects.toMatchObject({ reason: 'unsupported' });
      expect(rig.grant.asked).toHaveLength(0);
    },
  );

  it.each([
    ['accepts an unbound token if the server accepts both', {}, false],
    ['rejects an unbound token if the server requires bound ones', {}, true],
    ['rejects an unbound token with the option dpop: true', { dpop: true }, false],
  ])('%s', async (where, options, dpopBound) => {
    const rig = new Rig(options);
    rig.found = fakeDiscovery({ resource: { dpopBound }, server: able });
    const allowed: unknown[] = [];
    rig.grant.onObtain = async (_request, _count, tools) => {
      allowed.push(tools.mayBeUnbound);
      return {};
    };
    await rig.send((token) => (token === undefined ? challenge : { status: 200 }));
    expect(allowed).toEqual([where.startsWith('accepts')]);
  });

  it('refreshes with the same key, also in another process', async () => {
    const rig = new Rig({ dpop: true });
    rig.found = fakeDiscovery({ server: able });
    rig.grant.gives = { refreshToken: 'refresh-1', expiresAt: 1_000_000 };
    await rig.send(taking('access-1'));
    const key = async (of: Rig) => {
      const headers = await of.authorizer.authorize(request);
      const [head = ''] = (headers?.dpop ?? '').split('.');
      return JSON.parse(Buffer.from(head, 'base64url').toString()).jwk;
    };
    const before = await key(rig);
    rig.answer = () => ({ body: { access_token: 'refreshed-1', token_type: 'DPoP' } });
    rig.clock.stall(1_000_000);
    expect(await key(rig)).toEqual(before);
    expect(rig.http.sent[0]?.headers?.dpop).toBeDefined();
    expect(await key(new Rig({ beside: rig, dpop: true }))).toEqual(before);
  });

  it('repeats the request with the nonce of the server, and uses it from then on', async () => {
    const rig = new Rig({ dpop: true });
    rig.found = fakeDiscovery({ server: able });
    const nonces: unknown[] = [];
    const server = (token: string | undefined, headers: Readonly<Record<string, string>>): FakeReply => {
      if (token === undefined) return { status: 401 };
      const { nonce } = decodeJwt(headers.dpop ?? '');
      nonces.push(nonce);
      if (nonce === 'n1') return { status: 200 };
      return { status: 401, authenticate: 'DPoP error="use_dpop_nonce"', nonce: 'n1' };
    };
    expect(await rig.send(server)).toEqual({ status: 200 });
    expect(await rig.send(server)).toEqual({ status: 200 });
    expect(nonces).toEqual([undefined, 'n1', 'n1']);
    expect(rig.grant.asked).toHaveLength(1);
    rig.authorizer.nonce?.('n2');
    const next = await rig.authorizer.authorize(request);
    expect(decodeJwt(next?.dpop ?? '').nonce).toBe('n2');
  });

  it('gives up if the server rejects every nonce', async () => {
    const rig = new Rig({ dpop: true });
    rig.found = fakeDiscovery({ server: able });
    let count = 0;
    const authenticate = 'DPoP error="use_dpop_nonce"';
    const server = (token: string | undefined): FakeReply =>
      token === undefined ? { status: 401 } : { status: 401, authenticate, nonce: `n${count++}` };
    await expect(rig.send(server)).rejects.toMatchObject({ reason: 'refused' });
    expect(count).toBe(3);
    expect(rig.grant.asked).toHaveLength(1);
  });

  it('replaces old tokens that are refused with the right nonce', async () => {
    const rig = new Rig({ dpop: true });
    rig.found = fakeDiscovery({ server: able });
    await rig.send(taking('access-1'));
    rig.clock.stall(600_000);
    const server = (token: string | undefined, headers: Readonly<Record<string, string>>): FakeReply => {
      if (token === 'access-2') return { status: 200 };
      const { nonce } = decodeJwt(headers.dpop ?? '');
      if (nonce === 'n1') return { status: 401, authenticate: 'DPoP error="invalid_token"' };
      return { status: 401, authenticate: 'DPoP error="use_dpop_nonce"', nonce: 'n1' };
    };
    expect(await rig.send(server)).toEqual({ status: 200 });
    expect(rig.grant.asked).toHaveLength(2);
  });
});
