import { describe, expect, it } from 'vitest';
import { FakeHttp, fakeDiscovery, fakeServer } from '../../test/fake-authorization.js';
import { ManualClock } from '../../test/manual-clock.js';
import { type BearerChallenge, bearerChallenge } from './challenges.js';
import type { DiscoverRequest } from './discovery.js';
import { type DiscoveryOccasion, ServerDiscovery } from './server-discovery.js';

function begin() {
  const asked: DiscoverRequest[] = [];
  const fetched: string[] = [];
  const clock = new ManualClock();
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
  const find = (more: Partial<DiscoveryOccasion> = {}) =>
    discovery.find({
      told: undefined,
      revision: undefined,
      issuer: undefined,
      anew: false,
      signal: undefined,
      ...more,
    });
  return { discovery, find, clock, asked, fetched };
}

const told = (where: string): BearerChallenge | undefined =>
  bearerChallenge([`Bearer resource_metadata="https://mcp.example/${where}"`]);
const owner = { issuer: 'https://auth.example', clientId: 'c', resource: 'r', assumed: false };

describe('ServerDiscovery', () => {
  it('finds out anew when the clock was set back', async () => {
    const { find, clock, asked } = begin();
    clock.stall(5_000);
    await find();
    clock.stall(-4_000);
    await find();
    expect(asked).toHaveLength(2);
  });

  it('remembers what it found for a while', async () => {
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

  it('looks again when a token was refused, and where the server says that its document is elsewhere', async () => {
    const { find, asked } = begin();
    await find({ told: told('one') });
    await find({ told: told('one') });
    await find();
    expect(asked).toHaveLength(1);
    await find({ anew: true });
    await find({ told: told('two') });
    expect(asked).toHaveLength(3);
  });

  it('has no chooser where none is needed, so that only one authorization server is asked', async () => {
    const { find, asked } = begin();
    await find();
    expect(asked[0]?.choose).toBeUndefined();
  });

  it('knows the issuer of tokens without asking the server, and fetches it where it must', async () => {
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

  it('needs no metadata of an issuer that has none', async () => {
    const { discovery, fetched } = begin();
    const server = await discovery.issuerOf({ ...owner, issuer: 'https://mcp.example', assumed: true });
    expect(server).toMatchObject({ issuer: 'https://mcp.example', assumed: true });
    expect(server.tokenEndpoint?.href).toBe('https://mcp.example/token');
    expect(fetched).toEqual([]);
  });
});
