import { otherBounds } from '@tenon/foundation';
import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { turns } from '../../../../../tooling/suite/services/stuck-socket.js';
import { FakeApplication, type Play, result } from '../../../test/fake-application.js';
import { postHeaders, stateless } from '../../../test/fake-service.js';
import { textOf } from '../../../test/raw-http.js';
import type { HttpOptions } from '../http-options.js';
import { fetchHandler } from './fetch-handler.js';

const mebi = 1_048_576;
const large = textOf(mebi);
const url = 'http://localhost/mcp';

function handling(options: HttpOptions = {}, play: Play = (value) => result(value, { large })) {
  const application = new FakeApplication(play);
  const handler = fetchHandler(application, options);
  const post = (remoteAddress: string | undefined, body?: ReadableStream, signal?: AbortSignal) => {
    const [value, headers] = stateless(1);
    const init = {
      method: 'POST',
      body: body ?? JSON.stringify(value),
      headers: { ...postHeaders, ...headers },
      duplex: 'half' as const,
      signal: signal ?? null,
    };
    return handler.serve(new Request(url, init), { remoteAddress });
  };
  return { application, post };
}

/** Reads a response whole; returns undefined if it breaks off. */
const read = (response: Response) => response.text().catch(() => undefined);

/** An incomplete body of this many bytes. */
function half(bytes: number): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(textOf(bytes))) });
}

describe('a long answer', () => {
  it('arrives whole, with its length', async () => {
    const { post } = handling();
    const response = await post(undefined);
    const text = (await read(response)) ?? '';
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(JSON.parse(text).result.large).toBe(large);
  });

  it('is limited over many requests of one address: those with the most unread bytes break off', async () => {
    const { post } = handling({ limits: otherBounds({ unreadPerAddress: 10 * mebi }) });
    const mine = await Promise.all(Array.from({ length: 30 }, () => post('192.0.2.7')));
    const other = await post('192.0.2.8');
    const texts = await Promise.all(mine.map(read));
    expect(texts.filter((text) => text !== undefined)).toHaveLength(9);
    expect(await read(other)).toBeDefined();
  });

  it('is limited in total over many unknown clients', async () => {
    const { post } = handling({ limits: { unreadTotal: 10 * mebi } });
    const all = await Promise.all(Array.from({ length: 30 }, () => post(undefined)));
    const texts = await Promise.all(all.map(read));
    expect(texts.filter((text) => text !== undefined)).toHaveLength(9);
  });

  it('stops counting when it is read or cancelled', async () => {
    const { application, post } = handling({ limits: otherBounds({ unreadPerAddress: 3 * mebi }) });
    for (let round = 0; round < 6; round++) {
      expect(await read(await post('192.0.2.7'))).toBeDefined();
      await (await post('192.0.2.7')).body?.cancel();
    }
    await application.clock.advance(60_000);
    expect(application.clock.waiting).toEqual([]);
  });

  it('breaks off in time if it is unread, and continues if it is read', async () => {
    const { application, post } = handling({ limits: otherBounds({ readRate: mebi }) });
    const [left, slow] = await Promise.all([post('192.0.2.7'), post('192.0.2.7')]);
    const reader = slow.body?.getReader();
    let length = 0;
    for (let round = 0; round < 10; round++) {
      length += (await reader?.read())?.value?.byteLength ?? 0;
      await application.clock.advance(5_000);
    }
    for (let done = false; !done; ) {
      const piece = await reader?.read();
      length += piece?.value?.byteLength ?? 0;
      done = piece?.done !== false;
    }
    expect(length).toBeGreaterThan(mebi);
    await application.clock.advance(30_000);
    expect(await read(left)).toBeUndefined();
  });
});

describe('a stream', () => {
  /** A play that answers after sending messages, and its exchange. */
  function talking() {
    const exchanges: Exchange[] = [];
    const finish: (() => void)[] = [];
    const play: Play = (value, exchange) => {
      exchanges.push(exchange);
      void exchange.send(JSON.stringify(large));
      return new Promise((resolve) => finish.push(() => resolve(result(value))));
    };
    return { exchanges, finish, play };
  }

  it('is ended above the limit of unread bytes, and its call cancelled', async () => {
    const { play, exchanges } = talking();
    const { post } = handling({ limits: otherBounds({ unreadPerAddress: 10 * mebi }) }, play);
    await Promise.all(Array.from({ length: 20 }, () => post('192.0.2.7')));
    expect(exchanges.filter(({ gone }) => gone === true).length).toBeGreaterThanOrEqual(11);
    expect(exchanges.filter(({ gone }) => gone !== true).length).toBeGreaterThanOrEqual(8);
  });

  it('counts after its end until it is read, and is whole then', async () => {
    const { play, finish } = talking();
    const { application, post } = handling({}, play);
    const response = await post('192.0.2.7');
    finish[0]?.();
    await turns();
    expect(application.clock.waiting.length).toBeGreaterThan(0);
    expect(await read(response)).toMatch(/"id":1,"result":\{\}\}\n\n$/);
    await application.clock.advance(60_000);
    expect(application.clock.waiting).toEqual([]);
  });

  it('breaks off in time if it has ended and stays unread', async () => {
    const { play, finish } = talking();
    const { application, post } = handling({ limits: otherBounds({ readRate: mebi }) }, play);
    const response = await post('192.0.2.7');
    finish[0]?.();
    await turns();
    await application.clock.advance(80_000);
    expect(await read(response)).toBeUndefined();
  });
});

describe('a body', () => {
  it('counts for its address while incomplete: above the limit the largest is rejected', async () => {
    const { application, post } = handling({ limits: otherBounds({ bodiesPerAddress: 5 * mebi }) });
    const statuses: number[] = [];
    const noted = async () => statuses.push((await post('192.0.2.7', half(mebi))).status);
    for (let count = 0; count < 12; count++) {
      void noted();
      await turns();
    }
    expect(statuses).toEqual(Array(7).fill(503));
    expect([application.values, application.errors]).toEqual([[], []]);
  });

  it('is not handled after its client disconnected', async () => {
    const { application, post } = handling();
    const gone = new AbortController();
    const [value] = stateless(1);
    let finish = () => {};
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(JSON.stringify(value)));
        finish = () => controller.close();
      },
    });
    const response = post('192.0.2.7', body, gone.signal);
    await turns();
    gone.abort();
    try {
      finish();
    } catch {
      // The runtime has cancelled the body.
    }
    expect((await response).status).toBe(499);
    expect(application.values).toEqual([]);
  });
});
