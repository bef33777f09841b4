import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { otherBounds } from '@tenon/foundation';
import type { Exchange } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StuckSocket, turns } from '../../../../tooling/suite/services/stuck-socket.js';
import { FakeApplication, type Play, result } from '../../test/fake-application.js';
import { opening, request, stateless } from '../../test/fake-service.js';
import { post, textOf } from '../../test/raw-http.js';
import type { HttpOptions } from '../server/http-options.js';
import { nodeHandler } from './node-handler.js';

const ask = (id: number, more: object = {}) => {
  const [value, headers] = stateless(id);
  return post(JSON.stringify(value), { ...headers, ...more });
};

const mebi = 1_048_576;
const large = textOf(mebi);

/** A server without a port, and its connections. */
function serving(options: HttpOptions = {}, play: Play = (value) => result(value, { large })) {
  const application = new FakeApplication(play);
  const server = createServer(nodeHandler(application, options));
  const open = (address?: string) => new StuckSocket(server, address);
  return { application, open };
}

/** A handler that answers calls when a test says so, and sends nothing before. */
function held() {
  const exchanges: Exchange[] = [];
  const finish: (() => void)[] = [];
  const play: Play = (value, exchange) => {
    exchanges.push(exchange);
    return new Promise((resolve) => finish.push(() => resolve(result(value, { large }))));
  };
  return { exchanges, finish, play };
}

const pipeline = (count: number) => Array.from({ length: count }, (_, index) => ask(index + 1)).join('');

describe('pipelined requests', () => {
  it('are handled up to a limit; the others are rejected, and the connection stays open', async () => {
    const { play, finish } = held();
    const { application, open } = serving({ limits: otherBounds({ pipelined: 4 }) }, play);
    const socket = open();
    await socket.says(pipeline(12));
    expect(application.values).toHaveLength(5);
    for (const one of finish) one();
    await socket.reads();
    expect(socket.statuses).toEqual([...Array(5).fill(200), ...Array(7).fill(503)]);
    expect(socket.text).toContain('As many requests as one connection may have');
    await socket.says(ask(99));
    finish.at(-1)?.();
    await turns();
    expect(socket.statuses).toHaveLength(13);
  });

  it('can answer the input request of an earlier call', async () => {
    const waiting: (() => void)[] = [];
    const { open } = serving({}, (value, exchange) => {
      if (!('method' in value)) {
        for (const answered of waiting.splice(0)) answered();
        return undefined;
      }
      void exchange.send(JSON.stringify(request('q', 'elicitation/create')));
      return new Promise((resolve) => waiting.push(() => resolve(result(value))));
    });
    const socket = open();
    await socket.reads();
    await socket.says(post(JSON.stringify(opening())));
    const [, session = ''] = /mcp-session-id: (\w+)/.exec(socket.text) ?? [];
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    await socket.says(post(JSON.stringify(request(1, 'tools/call')), headers));
    expect(socket.text).toContain('elicitation/create');
    await socket.says(post(JSON.stringify({ jsonrpc: '2.0', id: 'q', result: {} }), headers));
    expect(socket.text).toContain('"id":1,"result":{}');
    expect(socket.statuses).toEqual([200, 200, 202]);
  });

  it('with large answers are answered up to the limit of unread bytes', async () => {
    const { application, open } = serving({ limits: otherBounds({ unread: 3 * mebi }) });
    const socket = open();
    await socket.says(pipeline(10));
    expect(application.values).toHaveLength(10);
    await socket.reads();
    expect(socket.statuses).toEqual([200, 200, ...Array(8).fill(503)]);
    expect(socket.text).toContain('as many bytes as one connection may');
    await socket.says(ask(11));
    expect(socket.statuses.at(-1)).toBe(200);
  });

  it('with streams buffer their events, and are cut off at the limit', async () => {
    const exchanges: Exchange[] = [];
    const { open } = serving({ limits: otherBounds({ unread: 3 * mebi }) }, (_, exchange) => {
      exchanges.push(exchange);
      return new Promise(() => undefined);
    });
    const socket = open();
    await socket.says(pipeline(2));
    const patience = exchanges[1]?.send(JSON.stringify(large));
    expect(patience).toBeInstanceOf(Promise);
    await turns();
    expect(socket.destroyed).toBe(false);
    for (let count = 0; count < 3; count++) void exchanges[1]?.send(JSON.stringify(large));
    await turns();
    expect(socket.destroyed).toBe(true);
    await patience;
    expect(exchanges.map(({ gone }) => gone)).toEqual([true, true]);
  });

  it('with streams are sent in order', async () => {
    const { play, finish } = held();
    const { open } = serving({}, (value, exchange) => {
      if (value.id === 2) for (const text of ['a', 'b']) void exchange.send(JSON.stringify(text));
      return play(value, exchange, undefined);
    });
    const socket = open();
    await socket.reads();
    await socket.says(pipeline(2));
    expect(socket.text).toBe('');
    finish[0]?.();
    await turns();
    expect(socket.text).toContain('data: "a"\n\ndata: "b"\n\n');
    finish[1]?.();
    await turns();
    expect(socket.statuses).toEqual([200, 200]);
    expect(socket.text.endsWith('0\r\n\r\n')).toBe(true);
  });

  it('are all cancelled with their connection', async () => {
    const { play, exchanges } = held();
    const { open } = serving({}, play);
    const socket = open();
    await socket.says(pipeline(6));
    socket.destroy();
    await turns();
    expect(exchanges.map(({ gone }) => gone)).toEqual(Array(6).fill(true));
  });

  it('do not start after their connection has closed', async () => {
    const { application, open } = serving({}, (value, exchange) => {
      if (value.id === 1) socket.destroy();
      return held().play(value, exchange, undefined);
    });
    const socket: StuckSocket = open();
    await socket.says(pipeline(6));
    expect(application.values).toHaveLength(1);
  });
});

describe('unread answers', () => {
  it('of one address are limited over many connections: those with the most bytes are closed', async () => {
    const { open } = serving({ limits: otherBounds({ unreadPerAddress: 10 * mebi }) });
    const mine = Array.from({ length: 30 }, () => open('192.0.2.7'));
    const other = open('192.0.2.8');
    await other.says(ask(1));
    for (const socket of mine) await socket.says(ask(1));
    const left = mine.filter(({ destroyed }) => !destroyed);
    expect(left).toHaveLength(9);
    await other.reads();
    expect(other.statuses).toEqual([200]);
  });

  it('of one IPv6 network count as one address', async () => {
    const { open } = serving({ limits: otherBounds({ unreadPerAddress: 4 * mebi }) });
    const sockets = Array.from({ length: 8 }, (_, index) => open(`2001:db8::${index + 1}`));
    for (const socket of sockets) await socket.says(ask(1));
    expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(3);
  });

  it('are limited in sessions and outside, whole and as streams', async () => {
    const { application, open } = serving({ limits: otherBounds({ unreadPerAddress: 4 * mebi }) });
    const opener = open();
    await opener.reads();
    await opener.says(post(JSON.stringify(opening())));
    const [, session = ''] = /mcp-session-id: (\w+)/.exec(opener.text) ?? [];
    const inSession = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const stream = open();
    await stream.says(
      `GET /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: ${session}\r\nmcp-protocol-version: 2025-11-25\r\n\r\n`,
    );
    application.last.tell('large', { large: large + large });
    await turns();
    const whole = open();
    await whole.says(post(JSON.stringify(request(2, 'tools/call')), inSession));
    expect([stream.destroyed, whole.destroyed]).toEqual([false, false]);
    const outside = open();
    await outside.says(ask(3));
    expect([stream.destroyed, whole.destroyed, outside.destroyed]).toEqual([true, false, false]);
  });

  it('of a client that reads too slowly end with its connection, and the call is cancelled', async () => {
    const { play, exchanges } = held();
    const { application, open } = serving({ limits: otherBounds({ readRate: mebi }) }, (value, exchange) => {
      void exchange.send(JSON.stringify(large));
      return play(value, exchange, undefined);
    });
    const socket = open();
    await socket.says(ask(1));
    for (let time = 0; time < 60_000; time += 10_000) {
      expect(socket.destroyed).toBe(false);
      await socket.reads(1);
      await application.clock.advance(10_000);
    }
    await application.clock.advance(15_000);
    await turns();
    expect([socket.destroyed, exchanges[0]?.gone]).toEqual([true, true]);
  });

  it('of a client that reads fast enough continue', async () => {
    const { application, open } = serving({ limits: otherBounds({ readRate: 4_096 }) });
    const socket = open();
    await socket.says(ask(1));
    for (let read = 0; read < mebi; read += 50_000) {
      await socket.reads(50_000);
      await application.clock.advance(10_000);
    }
    await socket.reads();
    await application.clock.advance(600_000);
    expect([socket.destroyed, socket.statuses]).toEqual([false, [200]]);
  });

  it('stop counting when they are read', async () => {
    const { application, open } = serving({ limits: otherBounds({ unreadPerAddress: 3 * mebi }) });
    const sockets = Array.from({ length: 6 }, () => open());
    for (const socket of sockets) {
      await socket.says(ask(1));
      await socket.reads();
    }
    await application.clock.advance(60_000);
    expect(sockets.map(({ destroyed, statuses }) => [destroyed, statuses])).toEqual(
      Array(6).fill([false, [200]]),
    );
    expect(application.clock.waiting).toEqual([]);
  });
});

describe('answers over HTTP/2', () => {
  it('arrive whole, and unread ones are limited by stream', async () => {
    const application = new FakeApplication((value) => result(value, { large: large.repeat(2) }));
    const handler = nodeHandler(application, { limits: otherBounds({ unreadPerAddress: 5 * mebi }) });
    const server = createHttp2Server((incoming, response) => handler(incoming as never, response as never));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    const [value, headers] = stateless(1);
    const send = () =>
      client
        .request({ ':method': 'POST', ':path': '/mcp', 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    const read = send();
    expect((await text(read)).length).toBeGreaterThan(2 * mebi);
    const unread = Array.from({ length: 6 }, send);
    for (const stream of unread) stream.on('error', () => undefined);
    // Two of two mebibytes may wait; the others are ended.
    while (unread.filter(({ closed }) => closed).length < 4) await turns();
    expect(unread.filter(({ closed }) => closed)).toHaveLength(4);
  });
});

describe('incomplete bodies', () => {
  const half = (id: number) => ask(id, { 'content-length': `${2 * mebi}` }) + large;

  it('of one address are limited: above the limit the largest is rejected, and its connection stays open', async () => {
    const { application, open } = serving({ limits: otherBounds({ bodiesPerAddress: 5 * mebi }) });
    const other = open('192.0.2.8');
    await other.says(half(1));
    const mine = Array.from({ length: 12 }, (_, index) => ({ socket: open('192.0.2.7'), index }));
    for (const { socket, index } of mine) {
      await socket.reads();
      await socket.says(half(index));
    }
    const refused = mine.filter(({ socket }) => socket.statuses[0] === 503);
    expect(12 - refused.length).toBeLessThanOrEqual(5);
    expect(refused.length).toBeLessThan(12);
    expect(refused[0]?.socket.text).toMatch(/retry-after: 1\r\n/);
    expect(refused[0]?.socket.text).toContain('"code":-31001');
    expect(application.values).toEqual([]);
    expect([other.text, application.errors]).toEqual(['', []]);
    const { socket } = refused[0] as { socket: StuckSocket };
    const rest = 2 * mebi - mebi - Buffer.byteLength(JSON.stringify(stateless(0)[0]));
    await socket.says(textOf(rest) + ask(50));
    expect(socket.statuses).toEqual([503, 200]);
  });

  it('stop counting when they are complete, or their client disconnects', async () => {
    const { open } = serving({ limits: otherBounds({ bodiesPerAddress: 3 * mebi }) });
    for (let round = 0; round < 8; round++) {
      const leaving = open();
      await leaving.says(half(1));
      leaving.destroy();
      const whole = open();
      await whole.reads();
      await whole.says(half(2) + textOf(mebi));
      await turns();
      expect(leaving.statuses).toEqual([]);
      expect(whole.statuses).not.toContain(503);
    }
  });
});
