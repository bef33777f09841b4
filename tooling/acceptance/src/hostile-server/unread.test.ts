import { otherBounds } from '@tenon/foundation';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { type StuckSocket, turns } from '../../../suite/services/stuck-socket.js';
import { counted } from './counted.js';
import { PostingPeer } from './posting.js';
import { oneOfEachKind } from './speech.js';
import { largeServer, mebi, unreadWays } from './unread-ways.js';

let cases = 0;
const attack = (name: string, run: () => Promise<void>) => {
  cases++;
  it(name, run);
};

const mine = '192.0.2.7';
const sumOf = (sockets: readonly StuckSocket[]) => sockets.reduce((sum, { held }) => sum + held, 0);
const isLeft = ({ destroyed }: StuckSocket) => !destroyed;
/** Bytes of a response of a mebibyte beside its text. */
const slack = 65_536;

describe.each(unreadWays)('a client that does not read over %s', (name, open) => {
  attack('leaves 40 answers unread: they are bounded for its address, and others get theirs', async () => {
    const place = await open({ limits: otherBounds({ unreadPerAddress: 10 * mebi }) });
    const other = await place.unread('192.0.2.8');
    const sockets: StuckSocket[] = [];
    for (let count = 0; count < 40; count++) {
      sockets.push(await place.unread(mine));
      expect(sumOf(sockets)).toBeLessThanOrEqual(10 * mebi + slack);
    }
    expect(sockets.filter(isLeft).length).toBeGreaterThanOrEqual(8);
    await other.reads();
    expect(other.text.length).toBeGreaterThan(mebi);
  });

  attack('comes from many addresses: what waits is bounded in all', async () => {
    const place = await open({
      limits: { unreadTotal: 15 * mebi, ...otherBounds({ unreadPerAddress: 10 * mebi }) },
    });
    const sockets: StuckSocket[] = [];
    for (let count = 0; count < 40; count++) {
      sockets.push(await place.unread(`192.0.2.${count % 4}`));
      expect(sumOf(sockets)).toBeLessThanOrEqual(15 * mebi + slack);
    }
  });

  attack('reads too slowly: it is disconnected in time', async () => {
    const place = await open({ limits: otherBounds({ readRate: 32_768 }) });
    const socket = await place.unread(mine);
    let time = 0;
    for (; isLeft(socket) && time < 600; time += 10) {
      await socket.reads(1);
      await place.clock.advance(10_000);
      await turns();
    }
    expect(time).toBeLessThanOrEqual(60 + 32 + 20);
  });

  attack('reads slowly: it stays connected', async () => {
    const place = await open({ limits: otherBounds({ readRate: 16_384 }) });
    const socket = await place.unread(mine);
    for (let read = 0; read < 1.2 * mebi; read += 200_000) {
      await socket.reads(200_000);
      await place.clock.advance(10_000);
    }
    expect(isLeft(socket)).toBe(true);
    expect(socket.text.length).toBeGreaterThan(mebi);
  });

  attack('leaves 20 bodies unfinished: they are bounded for its address', async () => {
    const place = await open({ limits: otherBounds({ bodiesPerAddress: 5 * mebi }) });
    const sockets: StuckSocket[] = [];
    for (let count = 0; count < 20; count++) {
      const socket = place.connect(mine);
      await socket.reads();
      const head = place.ask(count).replace(/content-length: \d+/, `content-length: ${3 * mebi}`);
      await socket.says(head + ' '.repeat(mebi));
      sockets.push(socket);
    }
    const refused = sockets.filter(({ statuses }) => statuses[0] === 503);
    expect(refused.length).toBeGreaterThanOrEqual(15);
    expect(sockets.filter(isLeft)).toHaveLength(20);
    expect(place.started).toEqual([]);
  });

  if (name === 'HTTP+SSE') return;

  attack('pipelines 60 calls: so many are handled, and the rest refused', async () => {
    const place = await open({ limits: otherBounds({ pipelined: 8, unread: 2 * mebi }) });
    const socket = place.connect(mine);
    await socket.says(Array.from({ length: 60 }, (_, id) => place.ask(id)).join(''));
    expect(place.started.length).toBeLessThanOrEqual(9);
    await socket.reads();
    expect(socket.statuses).toHaveLength(60);
    expect(socket.statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(51);
    expect(socket.text.length).toBeLessThan(4 * mebi);
    await socket.says(place.ask(61));
    expect(socket.statuses.at(-1)).toBe(200);
  });

  attack('pipelines calls and leaves: none is begun afterwards', async () => {
    const place = await open({});
    const socket = place.connect(mine);
    socket.push(Array.from({ length: 10 }, (_, id) => place.ask(id)).join(''));
    socket.destroy();
    await turns();
    expect(place.started).toEqual([]);
  });
});

describe('a client that resumes streams', () => {
  const [, open] = unreadWays[1] as (typeof unreadWays)[number];

  attack('and reads nothing, 30 times: it is limited by its address', async () => {
    const place = await open({ limits: otherBounds({ unreadPerAddress: 10 * mebi }) });
    const places: string[] = [];
    for (let id = 1; id <= 4; id++) {
      const socket = place.connect();
      await socket.reads();
      await socket.says(place.ask(id, 'streamed'));
      places.push(/id: (\S+)\n/.exec(socket.text)?.[1] ?? '');
    }
    const sockets: StuckSocket[] = [];
    for (let count = 0; count < 30; count++) {
      const socket = place.connect(mine);
      await socket.says(place.resume(places[count % 4] as string));
      sockets.push(socket);
      expect(sumOf(sockets)).toBeLessThanOrEqual(10 * mebi + slack);
    }
    expect(sumOf(sockets)).toBeGreaterThan(8 * mebi);
  });
});

describe('a client of the fetch face', () => {
  const [, stateless] = oneOfEachKind as [never, (typeof oneOfEachKind)[number]];
  const peer = new PostingPeer(stateless, 'http://localhost');

  function serving(limits: object) {
    const clock = new FakeClock();
    const { server } = largeServer(clock);
    const handler = toFetchHandler(server, { clock, limits });
    const ask = () => {
      const body = peer.speech.call(1, 'large');
      const request = new Request('http://localhost/mcp', {
        method: 'POST',
        headers: peer.headersFor(body) as Record<string, string>,
        body,
      });
      return handler.serve(request, { remoteAddress: mine });
    };
    return { clock, ask };
  }

  attack('that reads none of 40 answers: they are bounded for its address', async () => {
    const { ask } = serving(otherBounds({ unreadPerAddress: 10 * mebi }));
    const responses = await Promise.all(Array.from({ length: 40 }, ask));
    const texts = await Promise.all(responses.map((one) => one.text().catch(() => undefined)));
    expect(texts.filter((text) => text !== undefined)).toHaveLength(9);
  });

  attack('that reads nothing: its answer breaks off in time', async () => {
    const { clock, ask } = serving(otherBounds({ readRate: 32_768 }));
    const response = await ask();
    await clock.advance(112_000);
    await expect(response.text()).rejects.toThrow();
  });
});

counted('clients that do not read, and bodies that do not end', () => cases);
