import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { type FakeReply, Rig, serverUrl, taking } from '../../test/authorizer-rig.js';
import { fakeDiscovery } from '../../test/fake-authorization.js';

const request = { method: 'POST', url: `${serverUrl.href}?x=1` };
const able = { dpopSigningAlgs: ['ES256'] };
const challenge: FakeReply = { status: 401, authenticate: 'DPoP algs="ES256"' };

describe('tokens that are bound to a key', () => {
  it('go with a proof of their own for each request', async () => {
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
    ['where the server challenges for them', undefined, challenge, {}, 'DPoP'],
    ['where the option says so', true, { status: 401 }, {}, 'DPoP'],
    ['but not where the option says no', false, challenge, {}, 'Bearer'],
    ['nor where nobody asks for them', undefined, { status: 401 }, {}, 'Bearer'],
    [
      'nor where the authorization server cannot',
      undefined,
      challenge,
      { dpopSigningAlgs: undefined },
      'Bearer',
    ],
  ] as const)('are asked for %s', async (...[, dpop, refused, server, scheme]) => {
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
    'that cannot be had are told of, before anybody signs in (dpop: %s)',
    async (dpop, server, dpopBound) => {
      const rig = new Rig(dpop === undefined ? {} : { dpop });
      rig.found = fakeDiscovery({ server, resource: { dpopBound } });
      await expect(rig.send(taking())).rejects.toMatchObject({ reason: 'unsupported' });
      expect(rig.grant.asked).toHaveLength(0);
    },
  );

  it.each([
    ['where the server takes both kinds', {}, false],
    ['not where the server takes no others', {}, true],
    ['not where they are insisted on', { dpop: true }, false],
  ])('may be of the other kind all the same: %s', async (where, options, dpopBound) => {
    const rig = new Rig(options);
    rig.found = fakeDiscovery({ resource: { dpopBound }, server: able });
    const allowed: unknown[] = [];
    rig.grant.onObtain = async (_request, _count, tools) => {
      allowed.push(tools.mayBeUnbound);
      return {};
    };
    await rig.send((token) => (token === undefined ? challenge : { status: 200 }));
    expect(allowed).toEqual([!where.startsWith('not')]);
  });

  it('are refreshed with the same key, and read with it by another process', async () => {
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

  it('go once more where the server wants a nonce, and have it from then on', async () => {
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

  it('do not go on for ever where the server is never content with a nonce', async () => {
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

  it('are replaced when they are old and refused after the server got its nonce', async () => {
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
