import { oauth } from '@tenon/mcp-auth/client';
import { connect } from '@tenon/mcp-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { Browser } from './browser.js';
import { actAsIssuer } from './evil-issuer.js';
import { fakeTime } from './fake-time.js';
import { ProtectedPlace } from './protected-place.js';
import { PublicNetwork } from './public-network.js';
import { authErrorIn } from './scene.js';
import { sendJson, Web } from './web.js';

const mcp = 'https://mcp.example';
const auth = 'https://auth.example';
const metadata = '/.well-known/oauth-protected-resource/mcp';

/** A server and an authorization server with public names, and a client. */
class PublicScene {
  readonly browser = new Browser();
  readonly #network: PublicNetwork;
  readonly place: ProtectedPlace;
  readonly issuer: Web;
  /** Resolves host names as `lookup` does. */
  real = false;

  private constructor(place: ProtectedPlace, issuer: Web) {
    this.place = place;
    this.issuer = issuer;
    this.#network = new PublicNetwork({ [mcp]: place.origin, [auth]: issuer.origin });
    this.browser.fetch = this.#network.fetch;
  }

  static async open(): Promise<PublicScene> {
    const place = await ProtectedPlace.open({
      clock: fakeTime(),
      issuers: [auth],
      protect: {
        resource: `${mcp}/mcp`,
        verify: (token) => (token === 'token-of-the-thief' ? { id: 'user' } : undefined),
      },
    });
    const issuer = await Web.open();
    actAsIssuer(issuer, { origin: auth });
    return new PublicScene(place, issuer);
  }

  async call(): Promise<unknown> {
    const { fetch } = this.#network;
    const client = await connect(`${mcp}/mcp`, {
      info: { name: 'honest', version: '1' },
      revision: '2026-07-28',
      reconnect: false,
      fetch,
      auth: oauth({
        client: { name: 'honest' },
        interaction: this.browser,
        ...(!this.real && { fetch }),
      }),
    });
    const { content } = await client.callTool('who');
    await client.close();
    return content;
  }

  get strayed(): readonly string[] {
    return this.#network.strayed;
  }

  async close(): Promise<void> {
    await this.place.close();
    this.issuer.close();
  }
}

/** One private address of each kind. */
const sorts = [
  'http://auth.example',
  'https://127.0.0.1',
  'http://127.0.0.1',
  'https://localhost',
  'https://[::1]',
  'https://10.0.0.1',
  'https://169.254.169.254',
  'https://me:secret@auth.example',
];
/** All spellings of private addresses. */
const all = [
  ...sorts,
  'https://127.1',
  'https://0',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://LOCALHOST.',
  'https://anything.localhost',
  'https://[::]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:a00:1]',
  'https://[::127.0.0.1]',
  'https://[64:ff9b::7f00:1]',
  'https://[2002:7f00:1::]',
  'https://[fe80::1]',
  'https://[fd00:ec2::254]',
  'https://[fc00::1]',
  'https://172.31.255.255',
  'https://192.168.0.1',
  'https://100.64.0.1',
  'https://100.100.100.200',
  'https://192.0.2.1',
  'https://198.18.0.1',
  'https://224.0.0.1',
  'https://255.255.255.255',
];

/** Places for an address, each of which leads a client there. */
const places: Readonly<Record<string, (scene: PublicScene, origin: string) => void>> = {
  'the challenge says that the metadata is at': ({ place }, origin) => {
    place.intercept = ({ url }, response) => {
      if (url !== '/mcp') return false;
      const challenge = `Bearer resource_metadata="${origin}${metadata}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return true;
    };
  },
  'the metadata of the server names the issuer': ({ place }, origin) => {
    place.intercept = ({ url }, response) => {
      if (url !== metadata) return false;
      sendJson(response, { resource: `${mcp}/mcp`, authorization_servers: [origin] });
      return true;
    };
  },
  'the metadata of the server leads to': ({ place }, origin) => {
    place.intercept = ({ url }, response) => {
      if (url !== metadata) return false;
      response.writeHead(307, { location: origin + metadata }).end();
      return true;
    };
  },
  'the metadata of the issuer leads to': ({ issuer }, origin) => {
    issuer.answer = ({ url }, response) => response.writeHead(307, { location: origin + url }).end();
  },
  'users sign in at': (scene, origin) => endpoint(scene, 'authorization_endpoint', origin),
  'tokens are issued at': (scene, origin) => endpoint(scene, 'token_endpoint', origin),
  'clients register at': (scene, origin) => endpoint(scene, 'registration_endpoint', origin),
};
const first = Object.keys(places).slice(0, 3);

function endpoint({ issuer }: PublicScene, name: string, origin: string): void {
  actAsIssuer(issuer, { origin: auth, metadata: { [name]: `${origin}/x` } });
}

const rows = Object.keys(places).flatMap((place) =>
  (first.includes(place) ? all : sorts).map((address) => [place, address] as const),
);

describe('sign-in at a server with a public name', () => {
  it('succeeds if all addresses are public', async () => {
    const scene = await PublicScene.open();
    expect(await scene.call()).toMatchObject([{ text: `user of ${auth}` }]);
    await scene.close();
  });

  it.each(rows)('sends no request to a private address when %s %s', async (where, address) => {
    const scene = await PublicScene.open();
    places[where]?.(scene, address);
    const error = await scene.call().catch((thrown: unknown) => thrown);
    expect(authErrorIn(error)).toMatchObject({
      reason: 'forbidden-address',
      message: expect.not.stringContaining('secret'),
    });
    expect({ strayed: scene.strayed, visited: scene.browser.visited }).toEqual({ strayed: [], visited: [] });
    expect(scene.issuer.heard.filter(({ method }) => method !== 'GET')).toEqual([]);
    await scene.close();
  });
});

const lookup = vi.hoisted(() => vi.fn<(name: string) => Promise<readonly { address: string }[]>>());
vi.mock('node:dns/promises', () => ({ lookup }));
afterEach(() => lookup.mockReset());

/** Addresses of a public name. */
const found: readonly (readonly [string, readonly string[]])[] = [
  ['this machine', ['127.0.0.1']],
  ['this machine, in IPv6', ['::1']],
  ['this machine, in the words of IPv6', ['::ffff:127.0.0.1']],
  ['the address of nobody', ['0.0.0.0']],
  ['a private network', ['10.0.0.1']],
  ['a private network and this machine', ['192.168.0.1', '127.0.0.1']],
  ['a service of the cloud', ['169.254.169.254']],
  ['a service of the cloud, translated', ['64:ff9b::a9fe:a9fe']],
];

describe('a public name that resolves to', () => {
  it.each(found)('%s is not connected to', async (_name, addresses) => {
    const scene = await PublicScene.open();
    scene.real = true;
    lookup.mockImplementation(async (name) => {
      if (name !== 'docs.example') throw new Error('There is no such name.');
      return addresses.map((address) => ({ address }));
    });
    places['the challenge says that the metadata is at']?.(scene, 'https://docs.example');
    const error = await scene.call().catch((thrown: unknown) => thrown);
    expect(authErrorIn(error)).toMatchObject({ reason: 'forbidden-address' });
    // A second lookup could return another address.
    expect(lookup.mock.calls.filter(([name]) => name === 'docs.example')).toHaveLength(1);
    await scene.close();
  });
});

counted('addresses that nobody outside should lead to', () => 1 + rows.length + found.length);
