import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { FakeHttp, fakeDiscovery, fakeServer } from '../../test/client/fake-authorization.js';
import { type BearerChallenge, bearerChallenge } from './challenges.js';
import type { DiscoverRequest } from './discovery.js';
import { type DiscoveryInput, ServerDiscovery } from './server-discovery.js';

function begin() {
  const asked: DiscoverRequest[] = [];
  const fetched: string[] = [];
  const clock = new FakeClock();
  const discovery = new ServerDiscovery({
    url: new URL('https://mcp.example/mcp'),
    http: new FakeHttp(() => ({ status: 404 })),
    clock,
    choose: undefined,
    allow: ['auth.internal'],
    lifetime: 1_000,
    steps: {
      discover: async (request) => {
        asked.push(request);
        return fakeDiscovery();
      },
      fetchAuthorizationServer: async ({ issuer }) => {
        fetched.push(issuer);
        return fakeServer({ issuer });
      },
    },
  });
  const find = (more: Partial<DiscoveryInput> = {}) =>
    discovery.find({
      challenge: undefined,
      revision: undefined,
      issuer: undefined,
      refresh: false,
      signal: undefined,
      ...more,
    });
  return { discovery, find, clock, asked, fetched };
}

const challengeAt = (where: string): BearerChallenge | undefined =>
  bearerChallenge([`Bearer resource_metadata="https://mcp.example/${where}"`]);
const owner = { issuer: 'https://auth.example', clientId: 'c', resource: 'r', assumed: false };

describe('ServerDiscovery', () => {
  it('discovers again after the clock was set back', async () => {
    const { find, clock, asked } = begin();
    clock.stall(5_000);
    await find();
    clock.stall(-4_000);
    await find();
    expect(asked).toHaveLength(2);
  });

  it('caches the result for a while', async () => {
    const { find, clock, asked, discovery } = begin();
    const found = await find();
    expect(await find()).toBe(found);
    clock.stall(999);
    expect(await find()).toBe(found);
    clock.stall(1);
    expect(await find()).not.toBe(found);
    discovery.forget();
    await find();
    expect(asked).toHaveLength(3);
    expect(asked[0]).toMatchObject({ allow: ['auth.internal'], server: { href: 'https://mcp.example/mcp' } });
  });

  it('discovers again after a refused token, and after a challenge with another metadata URL', async () => {
    const { find, asked } = begin();
    await find({ challenge: challengeAt('one') });
    await find({ challenge: challengeAt('one') });
    await find();
    expect(asked).toHaveLength(1);
    await find({ refresh: true });
    await find({ challenge: challengeAt('two') });
    expect(asked).toHaveLength(3);
  });

  it('passes no choice on if none is needed, so that only one authorization server is fetched', async () => {
    const { find, asked } = begin();
    await find();
    expect(asked[0]?.choose).toBeUndefined();
  });

  it('finds the issuer of tokens in the cache, or else fetches only its metadata', async () => {
    const { discovery, find, fetched, asked } = begin();
    expect((await discovery.issuerOf(owner)).issuer).toBe(owner.issuer);
    expect(fetched).toEqual([owner.issuer]);
    await find();
    await discovery.issuerOf(owner);
    expect(fetched).toHaveLength(1);
    await discovery.issuerOf({ ...owner, issuer: 'https://old.example' });
    expect(fetched).toEqual([owner.issuer, 'https://old.example']);
    expect(asked).toHaveLength(1);
  });

  it('assumes the endpoints of an issuer without metadata', async () => {
    const { discovery, fetched } = begin();
    const server = await discovery.issuerOf({ ...owner, issuer: 'https://mcp.example', assumed: true });
    expect(server).toMatchObject({ issuer: 'https://mcp.example', assumed: true });
    expect(server.tokenEndpoint?.href).toBe('https://mcp.example/token');
    expect(fetched).toEqual([]);
  });
});
