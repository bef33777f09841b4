import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { type ClientRow, clientTable } from './client-table.js';
import type { Scene } from './scene.js';

/** Writes an invalid response. */
type Writes = (response: ServerResponse, url: string) => void;

const json = { 'content-type': 'application/json' };
const piece = Buffer.alloc(1 << 16, ' ');

/** A body as fast as the client reads, up to a number of bytes. */
function pour(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.end('{}');
  };
  more();
}

const text =
  (body: string, headers: Readonly<Record<string, string>> = json): Writes =>
  (response) =>
    response.writeHead(200, headers).end(body);
const redirect =
  (to: (url: string) => string | undefined): Writes =>
  (response, url) => {
    const location = to(url);
    response.writeHead(302, location === undefined ? {} : { location }).end();
  };

const unusable = 'unreachable';
const absent = 'discovery-failed';
const bodies: readonly (readonly [string, Writes, string])[] = [
  [
    'nested a hundred thousand levels deep',
    text(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    unusable,
  ],
  ['nested deeper than it is closed', text('{"a":'.repeat(50_000)), unusable],
  ['that is a list', text('[]'), unusable],
  ['that is a text', text('"x"'), unusable],
  ['that is null', text('null'), unusable],
  ['that is empty', text(''), unusable],
  ['that is no JSON', text('{"issuer":'), unusable],
  ['that is compressed', text('{}', { ...json, 'content-encoding': 'gzip' }), unusable],
  ['that is a page', text('<html></html>', { 'content-type': 'text/html' }), absent],
  ['that is not there', (response) => response.writeHead(404).end(), absent],
  ['that fails', (response) => response.writeHead(503).end(), unusable],
  ['whose connection breaks', (response) => void response.socket?.destroy(), unusable],
  [
    'whose connection breaks in the middle',
    (response) => response.writeHead(200, json).write('{', () => response.socket?.destroy()),
    unusable,
  ],
  ['that leads to itself', redirect((url) => url), unusable],
  ['that leads on and on', redirect((url) => `${url}x`), unusable],
  ['that leads nowhere', redirect(() => undefined), absent],
  ['that leads to what is no address', redirect(() => 'http://['), absent],
  ['that leads to a script', redirect(() => 'javascript:alert(1)'), 'forbidden-address'],
  ['that leads to a file', redirect(() => 'file:///etc/passwd'), 'forbidden-address'],
  ['that leads to a private network', redirect(() => 'http://10.0.0.7/'), 'forbidden-address'],
  [
    'that leads to a service of the cloud',
    redirect(() => 'http://169.254.169.254/latest'),
    'forbidden-address',
  ],
  ['that leads to a password', redirect(() => 'http://me:secret@127.0.0.1:1/'), 'forbidden-address'],
  ['that leads to http elsewhere', redirect(() => 'http://auth.example/'), 'forbidden-address'],
];

/** Documents that clients stop reading before the end. */
const large: readonly (readonly [string, Writes])[] = [
  [
    'of 10 MB that says so',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': String(10 << 20) });
      pour(response, 10 << 20);
    },
  ],
  ['of 10 MB that does not say so', (response) => pour(response.writeHead(200, json), 10 << 20)],
  ['of 100 MB', (response) => pour(response.writeHead(200, json), 100 << 20)],
  [
    'with 10 MB of headers',
    (response) => {
      for (let at = 0; at < 10; at++) response.setHeader(`x-${at}`, 'x'.repeat(1 << 20));
      response.writeHead(200, json).end('{}');
    },
  ],
];

/** The URL of such a document. */
const places: readonly (readonly [string, (scene: Scene, writes: Writes) => void])[] = [
  [
    'metadata of the server',
    ({ place }, writes) => {
      place.intercept = ({ url = '' }, response) => {
        if (url.startsWith('/mcp')) return false;
        writes(response, url);
        return true;
      };
    },
  ],
  [
    'metadata of the issuer',
    ({ place, thief }, writes) => {
      place.describe({}, [thief.origin]);
      thief.answer = ({ url }, response) => writes(response, url);
    },
  ],
];

const rows = ([where, put]: (typeof places)[number]): ClientRow[] => [
  ...bodies.map(
    ([kind, writes, error]): ClientRow => ({
      name: `${where} ${kind}`,
      attack: (scene) => put(scene, writes),
      outcome: { error, text: /^(?!.*secret)/ },
      // The client neither loops nor repeats requests.
      afterwards: ({ place, thief }) =>
        expect(place.arrived.length + thief.heard.length).toBeLessThanOrEqual(16),
    }),
  ),
  ...large.map(([kind, writes]): ClientRow => {
    const responses: ServerResponse[] = [];
    return {
      name: `${where} ${kind}`,
      attack: (scene) =>
        put(scene, (response, url) => {
          responses.push(response);
          writes(response, url);
        }),
      outcome: { error: unusable },
      afterwards: () => expect(responses.map(({ writableFinished }) => writableFinished)).toEqual([false]),
    };
  }),
  ...[true, false].map((drips): ClientRow => {
    let stuck = () => {};
    const isStuck = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    return {
      name: `${where} ${drips ? 'that comes byte by byte' : 'that never comes'}`,
      attack: (scene) =>
        put(scene, (response) => {
          if (drips) void drip(response, stuck);
          else stuck();
        }),
      act: async (scene) => {
        const call = scene.call();
        call.catch(() => {});
        await isStuck;
        await scene.clock.advance(10_000);
        return call;
      },
      outcome: { error: unusable, text: /within 10000 ms/ },
    };
  }),
];

async function drip(response: ServerResponse, began: () => void): Promise<void> {
  response.writeHead(200, json);
  for (let count = 0; !response.destroyed && count < 10_000; count++) {
    response.write(' ');
    if (count === 10) began();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

clientTable('documents that are none', Object.fromEntries(places.map((place) => [place[0], rows(place)])));
