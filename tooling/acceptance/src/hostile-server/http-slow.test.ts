import type { Revision } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { counted } from './counted.js';
import { HttpPlace } from './http-place.js';
import type { PostingPeer } from './posting.js';
import { oneOfEachKind } from './speech.js';

const stateless = oneOfEachKind[1] as Revision;
const ask = (peer: PostingPeer) => peer.text(peer.speech.call(1, 'echo', { text: 'x' }));
const headOf = (text: string) => text.slice(0, text.indexOf('\r\n\r\n') + 4);

let place: HttpPlace | undefined;
afterEach(() => place?.close());

/** The bytes a client sends before it falls silent. */
const beginnings: readonly (readonly [string, (peer: PostingPeer) => string])[] = [
  ['half a request line', () => 'POST /m'],
  ['half a header', () => 'POST /mcp HTTP/1.1\r\nhost: local'],
  ['headers without an end', () => 'POST /mcp HTTP/1.1\r\nhost: localhost\r\n'],
  ['a head without its body', (peer) => headOf(ask(peer))],
  ['half a body', (peer) => ask(peer).slice(0, -5)],
  [
    'half a piece of a body',
    (peer) => `${headOf(ask(peer)).replace(/content-length: \d+/, 'transfer-encoding: chunked')}50\r\n{"a"`,
  ],
  ['a good request and half of another', (peer) => ask(peer) + ask(peer).slice(0, 40)],
];

describe('a slow client', () => {
  it.each(beginnings)(
    '%s: fifty of them are closed in time, and others are served meanwhile',
    async (_name, begin) => {
      place = await HttpPlace.open({ requestTimeout: 200 });
      const text = begin(place.peer(stateless));
      const sockets = await Promise.all(Array.from({ length: 50 }, () => (place as HttpPlace).socket()));
      for (const socket of sockets) socket.write(text);
      await place.serves(stateless);
      const ends = await Promise.all(sockets.map((socket) => socket.end()));
      for (const responses of ends) for (const { status } of responses) expect([200, 408]).toContain(status);
      await place.serves(stateless);
    },
  );

  it('that sends a byte at a time is disconnected in the same time', async () => {
    place = await HttpPlace.open({ requestTimeout: 200 });
    const socket = await place.socket();
    socket.write('POST /mcp HTTP/1.1\r\nhost: localhost\r\nx: ');
    // Fewer bytes than the maximum of headers.
    for (let sent = 0; !socket.ended; sent++) {
      if (sent < 10_000) socket.write('x');
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The response is lost if it crosses a byte of the client.
    for (const { status } of await socket.end()) expect(status).toBe(408);
    await place.serves(stateless);
  });

  it('that is silent after a request is disconnected', async () => {
    place = await HttpPlace.open({ idleTimeout: 50 });
    const socket = await place.socket();
    socket.write(ask(place.peer(stateless)));
    expect((await socket.end()).map(({ status }) => status)).toEqual([200]);
  });

  it('that does not read a long response is disconnected, and frees its slot', async () => {
    place = await HttpPlace.open({ writeTimeout: 100, maxConnections: 10 });
    const peer = place.peer(stateless);
    const sockets = await Promise.all(Array.from({ length: 10 }, () => (place as HttpPlace).socket()));
    for (const { socket } of sockets) {
      socket.pause();
      socket.write(peer.text(peer.speech.call(1, 'long', { length: 7_000_000 })));
    }
    for (let isServed = false; !isServed; ) {
      const next = await place.socket();
      next.write(ask(peer));
      isServed = (await next.countOrEnd(1)).length === 1;
      next.close();
    }
  });
});

/** Ways for a client to disconnect. */
const leaving = ['resetAndDestroy', 'destroy', 'end'] as const;
describe('a client that disconnects', () => {
  for (const [name, begin] of beginnings.slice(0, -1)) {
    it.each(leaving)(`after ${name}, by %s`, async (leave) => {
      place = await HttpPlace.open();
      const socket = await place.socket();
      socket.write(begin(place.peer(stateless)));
      await place.serves(stateless);
      place.handled.length = 0;
      socket.socket[leave]();
      await socket.end();
      expect(socket.responses).toEqual([]);
      expect(place.handled).toEqual([]);
      await place.serves(stateless);
    });
  }

  it.each(leaving)('during its call, by %s: the call is cancelled', async (leave) => {
    place = await HttpPlace.open({ limits: { exchanges: 2 } });
    const socket = await place.socket();
    const peer = place.peer(stateless);
    socket.write(
      peer.text(peer.speech.request(1, 'tools/call', { name: 'hold', _meta: { progressToken: 1 } })),
    );
    await socket.until(() => socket.text.includes('notifications/progress'));
    socket.socket[leave]();
    await socket.end();
    // Two slots are free again: one for a call that waits, one beside it.
    const other = await place.socket();
    other.write(
      peer.text(peer.speech.request(2, 'tools/call', { name: 'hold', _meta: { progressToken: 2 } })),
    );
    await other.until(() => other.text.includes('notifications/progress'));
    let text: string | undefined;
    while (text === undefined) text = await peer.call('let-go');
    await other.count(1);
  });
});

counted('slow clients, and those that leave', () => beginnings.length + 3 + (beginnings.length - 1) * 3 + 3);
