import type { Revision } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { counted } from './counted.js';
import { HttpPlace } from './http-place.js';
import { framesOf, type PostingPeer } from './posting.js';
import { type RawHeaders, requestText } from './raw-http.js';
import { handshakes, oneOfEachKind, textOf } from './speech.js';

const posting: readonly Revision[] = handshakes.filter((one) => one.rules.resumable);
const stateless = oneOfEachKind[1] as Revision;
let cases = 0;
const places: HttpPlace[] = [];

afterEach(async () => {
  await Promise.all(places.splice(0).map((place) => place.close()));
});

function each(name: string, body: (revision: Revision) => Promise<void>, revisions = posting): void {
  cases += revisions.length;
  it.each(revisions.map((one) => [one.id, one] as const))(`${name} (%s)`, (_id, revision) => body(revision));
}

async function open(...options: Parameters<typeof HttpPlace.open>): Promise<HttpPlace> {
  const place = await HttpPlace.open(...options);
  places.push(place);
  return place;
}

/** A server with authentication, a peer, and the requests another peer must not make. */
async function two(revision: Revision): Promise<{ place: HttpPlace; ada: PostingPeer; eve: PostingPeer }> {
  const place = await open({
    authenticate: ({ header }) => {
      const name = header('authorization')?.slice(7);
      return name === undefined ? undefined : { id: name };
    },
  });
  const ada = await place.peer(revision, { authorization: 'Bearer ada' }).open();
  const eve = await place.peer(revision, { authorization: 'Bearer eve' }).open();
  expect(await ada.call('whoami')).toBe('ada');
  return { place, ada, eve };
}

describe('an unknown session id', () => {
  const ids = [
    '',
    'x',
    '__proto__',
    'constructor',
    '0',
    '../..',
    '00000000-0000-0000-0000-000000000000',
    'x'.repeat(128),
    'x'.repeat(10_000),
    'a, b',
    'é',
    '%00',
    "' OR 1=1",
  ];
  for (const id of ids) {
    each(`is refused, and gets nothing done: ${JSON.stringify(id).slice(0, 30)}`, async (revision) => {
      const place = await open();
      const peer = await place.peer(revision).open();
      place.handled.length = 0;
      for (const line of ['POST /mcp', 'GET /mcp', 'DELETE /mcp']) {
        const body = line.startsWith('POST') ? peer.speech.call(1, 'nothing') : '';
        const socket = await place.socket();
        socket.write(
          requestText(line, { ...peer.headersFor(body), 'mcp-session-id': id, accept: '*/*' }, body),
        );
        expect((await socket.count(1)).status).toBe(404);
      }
      expect(place.handled).toEqual([]);
      await peer.isServed();
    });
  }
});

describe("another's session", () => {
  const attempts: readonly (readonly [
    string,
    (victim: PostingPeer) => readonly [string, string, RawHeaders],
  ])[] = [
    ['calls in it', ({ speech }) => ['POST /mcp', speech.call(1, 'nothing'), {}]],
    ['notifications in it', ({ speech }) => ['POST /mcp', speech.notice('notifications/initialized'), {}]],
    ['answers in it', () => ['POST /mcp', '{"jsonrpc":"2.0","id":1,"result":{}}', {}]],
    ['garbage in it', () => ['POST /mcp', '{"x":1}', {}]],
    ['listening to it', () => ['GET /mcp', '', { accept: 'text/event-stream' }]],
    ['taking up its stream', () => ['GET /mcp', '', { accept: 'text/event-stream', 'last-event-id': '1' }]],
    ['ending it', () => ['DELETE /mcp', '', {}]],
  ];
  for (const [name, attempt] of attempts) {
    each(`is not to be had: ${name}`, async (revision) => {
      const { place, ada, eve } = await two(revision);
      place.handled.length = 0;
      const [line, body, more] = attempt(ada);
      for (const who of [eve.always, {}, { authorization: 'Bearer ' }]) {
        const socket = await place.socket();
        socket.write(
          requestText(line, { ...ada.headersFor(body), authorization: undefined, ...who, ...more }, body),
        );
        expect((await socket.count(1)).status).toBe(404);
      }
      expect(place.handled).toEqual([]);
      expect(await ada.call('whoami')).toBe('ada');
      expect(await eve.call('whoami')).toBe('eve');
    });
  }

  each('keeps its calls, whatever is cancelled under their ids', async (revision) => {
    const { place, ada, eve } = await two(revision);
    const socket = await place.socket();
    socket.write(
      ada.text(ada.speech.request(7, 'tools/call', { name: 'hold', _meta: { progressToken: 1 } })),
    );
    await socket.until(() => socket.text.includes('notifications/progress'));
    expect((await eve.post(eve.speech.notice('notifications/cancelled', { requestId: 7 }))).status).toBe(202);
    expect(await eve.call('let-go')).toBe('1');
    expect(textOf(framesOf(await socket.count(1)).at(-1))).toBe('let go');
  });

  each('keeps its question, whatever is answered under its id', async (revision) => {
    if (!revision.requests.server.has('elicitation/create')) return;
    const { place, ada, eve } = await two(revision);
    const socket = await place.socket();
    socket.write(ada.text(ada.speech.call(7, 'ask', { what: 'Who?' })));
    await socket.until(() => /elicitation\/create.*\n\n/s.test(socket.text));
    const id = /data: (\{.*"elicitation\/create".*\})/.exec(socket.text)?.[1] ?? '{}';
    const answer = (text: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: JSON.parse(id).id,
        result: { action: 'accept', content: { text } },
      });
    await eve.post(answer('Eve'));
    const message = 'An answer with the id 1 matches no request that waits for one.';
    expect(place.takeErrors()).toMatchObject([{ reason: 'invalid-answer', message: message }]);
    expect((await ada.post(answer('Ada'))).status).toBe(202);
    expect(textOf(framesOf(await socket.count(1)).at(-1))).toBe('Who? Ada');
  });
});

describe('a session', () => {
  each('that was ended is ended for everything', async (revision) => {
    const place = await open();
    const peer = await place.peer(revision).open();
    const statuses: number[] = [];
    const socket = await place.socket();
    for (const line of ['DELETE /mcp', 'DELETE /mcp', 'GET /mcp', 'POST /mcp']) {
      const body = line.startsWith('POST') ? peer.speech.call(1, 'nothing') : '';
      socket.write(requestText(line, { ...peer.headersFor(body), accept: '*/*' }, body));
      statuses.push((await socket.count(statuses.length + 1)).status);
    }
    expect(statuses).toEqual([204, 404, 404, 404]);
    await place.serves(revision);
  });

  each('is not begun anew', async (revision) => {
    const place = await open();
    const peer = await place.peer(revision).open();
    const again = await peer.post(peer.speech.initialize());
    expect({ status: again.status, id: again.headers['mcp-session-id'] }).toEqual({
      status: 400,
      id: undefined,
    });
    await peer.isServed();
  });

  each('rejects unknown versions, and continues', async (revision) => {
    if (!revision.rules.versionHeader) return;
    const peer = await (await open()).peer(revision).open();
    for (const version of ['1999-01-01', '__proto__', `${revision.id}, ${revision.id}`]) {
      const response = await peer.post(peer.speech.call(1, 'nothing'), { 'mcp-protocol-version': version });
      expect(response.status).toBe(400);
    }
    await peer.isServed();
  });

  each('is not affected by two hundred streams', async (revision) => {
    const place = await open();
    const peer = await place.peer(revision).open();
    const text = requestText('GET /mcp', { ...peer.headersFor(''), accept: 'text/event-stream' });
    const sockets = await Promise.all(Array.from({ length: 200 }, () => place.socket()));
    for (const socket of sockets) socket.write(text);
    await Promise.all(sockets.map((socket) => socket.until(() => socket.text.includes('\r\n\r\n'))));
    for (const { text: head } of sockets) expect(head).toMatch(/^HTTP\/1\.1 (200|409) /);
    await peer.isServed();
    for (const socket of sockets) socket.socket.resetAndDestroy();
    await peer.isServed();
  });

  for (const last of [
    'x',
    '__proto__',
    '0',
    '-1',
    '99999999999999999999',
    'x'.repeat(5_000),
    '../1',
    '%00',
  ]) {
    each(`takes up no stream from an event there was none of: ${last.slice(0, 20)}`, async (revision) => {
      const place = await open();
      const peer = await place.peer(revision).open();
      const socket = await place.socket();
      const headers = { ...peer.headersFor(''), accept: 'text/event-stream', 'last-event-id': last };
      socket.write(requestText('GET /mcp', headers));
      await socket.until(() => socket.text.includes('\r\n\r\n'));
      expect(socket.text).toMatch(/^HTTP\/1\.1 (200|400|404) /);
      expect(socket.text).not.toContain('"result"');
      await peer.isServed();
    });
  }
});

describe('too many', () => {
  each('sessions: the next is refused, those there are go on', async (revision) => {
    const place = await open({ limits: { sessions: 10 } });
    const peers = await Promise.all(Array.from({ length: 10 }, () => place.peer(revision).open()));
    const late = await place.peer(revision).post(peers[0]?.speech.initialize() ?? '');
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1']);
    expect(framesOf(late)).toMatchObject([{ error: { code: -31001 } }]);
    for (const peer of peers) await peer.isServed();
  });

  each('calls of a session: the rest is refused, all are answered', async (revision) => {
    const place = await open({}, { limits: { inFlight: 10 } });
    const peer = await place.peer(revision).open();
    const neighbour = await place.peer(revision).open();
    const sockets = await Promise.all(Array.from({ length: 50 }, () => place.socket()));
    sockets.forEach((socket, id) => void socket.write(peer.text(peer.speech.call(id, 'hold'))));
    const refused = Promise.all(sockets.map((socket) => socket.count(1)));
    let waiting = 50;
    for (const socket of sockets) void socket.count(1).then(() => waiting--);
    while (waiting > 10) await new Promise((resolve) => setImmediate(resolve));
    expect(await neighbour.call('let-go')).toBe('10');
    const codes = (await refused).flatMap(framesOf).flatMap(({ error }) => error?.code ?? []);
    expect(codes).toEqual(Array(40).fill(-31001));
    await peer.isServed();
  });

  each(
    'requests outside sessions: the rest is refused, all are answered',
    async (revision) => {
      const place = await open({ limits: { exchanges: 10 } });
      const peer = place.peer(revision);
      const sockets = await Promise.all(Array.from({ length: 50 }, () => place.socket()));
      sockets.forEach((socket, id) => void socket.write(peer.text(peer.speech.call(id, 'hold'))));
      let waiting = 50;
      const all = sockets.map((socket) => socket.count(1).then(() => waiting--));
      while (waiting > 10) await new Promise((resolve) => setImmediate(resolve));
      const late = await peer.post(peer.speech.call(1, 'nothing'));
      expect(late.status).toBe(503);
      for (const socket of sockets) if (socket.responses.length === 0) socket.socket.resetAndDestroy();
      await Promise.allSettled(all);
      await place.serves(revision);
    },
    [stateless],
  );

  each(
    'connections: the next is closed, and those there are go on',
    async (revision) => {
      const place = await open({ maxConnections: 5 });
      const peer = place.peer(revision);
      await peer.isServed();
      for (let count = 1; count < 5; count++) await place.socket();
      const late = await place.socket();
      await late.end();
      expect(late.text).toBe('');
      await peer.isServed();
    },
    [stateless],
  );
});

counted('sessions of others, and too many of them', () => cases);
