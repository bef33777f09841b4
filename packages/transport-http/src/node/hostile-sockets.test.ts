import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { result } from '../../test/fake-application.js';
import { type FakeListening, listening } from '../../test/fake-listening.js';
import { opening, request, stateless } from '../../test/fake-service.js';
import { post } from '../../test/raw-http.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  await turns(2);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const ask = (id: number, more: Readonly<Record<string, string>> = {}) => {
  const [value, headers] = stateless(id);
  return post(JSON.stringify(value), { ...headers, ...more });
};

/** Checks that the server still answers other clients. */
async function serves({ open }: FakeListening): Promise<void> {
  const client = await open();
  expect((await client.write(ask(99)).count(1))[0]).toMatchObject({ status: 200 });
}

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const finish: (() => void)[] = [];
    const server = await listening({}, (value) =>
      value.id === 1 ? new Promise((resolve) => finish.push(() => resolve(result(value)))) : result(value),
    );
    const client = await server.open();
    client.write(ask(1) + ask(2) + ask(3));
    while (finish.length === 0) await turns(1);
    expect(client.text).toBe('');
    finish[0]?.();
    const ids = (await client.count(3)).map(({ body }) => JSON.parse(body).id);
    expect(ids).toEqual([1, 2, 3]);
  });

  it('wait for the end of a stream before them', async () => {
    let finish = () => {};
    const server = await listening({}, (value, exchange) => {
      if (value.id !== 1) return result(value);
      void exchange.send('{}');
      return new Promise((resolve) => (finish = () => resolve(result(value))));
    });
    const client = await server.open();
    client.write(ask(1) + ask(2));
    await client.until(() => client.text.includes('data: {}'));
    finish();
    expect(await client.count(2)).toHaveLength(2);
  });

  it('are not answered with the status of garbage that follows', async () => {
    const server = await listening({}, () => new Promise(() => undefined));
    const client = await server.open();
    client.write(ask(1));
    while (server.application.values.length === 0) await turns(1);
    client.write('garbage\r\n\r\n');
    await client.end();
    expect(client.text).toBe('');
  });

  it('are all cancelled when their connection is cut off', async () => {
    const exchanges: { readonly gone?: boolean }[] = [];
    const server = await listening({}, (_value, exchange) => {
      exchanges.push(exchange);
      return new Promise(() => undefined);
    });
    const client = await server.open();
    client.write(ask(1) + ask(2) + ask(3));
    while (exchanges.length < 3) await turns(1);
    client.socket.resetAndDestroy();
    while (!exchanges.every((one) => one.gone)) await turns(1);
  });
});

describe('ambiguous requests', () => {
  it.each<[string, string]>([
    ['two lengths', post('{}').replace('content-length: 2', 'content-length: 2\r\ncontent-length: 50')],
    ['a length and chunks', post('0\r\n\r\nGET /mcp HTTP/1.1\r\n\r\n', { 'transfer-encoding': 'chunked' })],
    ['an invalid length', post('{}', { 'content-length': '2x' })],
    ['a negative length', post('{}', { 'content-length': '-2' })],
    [
      'a chunk whose size is none',
      'POST /mcp HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
    [
      'a chunk that is longer than it says',
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n',
    ],
    ['another encoding before chunks', post('{}', { 'transfer-encoding': 'x, chunked' })],
    ['a space before the colon', post('{}').replace('host:', 'host :')],
    ['a line feed in a header', post('{}', { 'mcp-name': 'a\nx: y\u0000' })],
    ['a folded header', post('{}', { 'x-a': 'b\r\n c\u0000' })],
    ['no request line', '\u0000\u0001\u0002\r\n\r\n'],
    ['another protocol', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('are rejected, and the connection ends: %s', async (_title, text) => {
    const server = await listening();
    const client = await server.open();
    client.write(Buffer.from(text, 'latin1'));
    await client.end();
    for (const { status } of client.responses) expect(status).toBeGreaterThanOrEqual(400);
    expect(server.application.values).toEqual([]);
    await serves(server);
  });

  it.each<[string, string, number]>([
    ['two hosts, the second one allowed', 'host: evil.example\r\nhost: localhost', 400],
    ['no host', 'x-none: 1', 400],
    ['an empty host', 'host:', 403],
    ['two origins', 'host: localhost\r\norigin: http://localhost\r\norigin: https://evil.example', 400],
    ['a forwarded host', 'host: evil.example\r\nx-forwarded-host: localhost', 403],
  ])('are rejected by the requestGuard: %s', async (_title, lines, status) => {
    const server = await listening();
    const client = await server.open();
    client.write(ask(1).replace('host: 127.0.0.1', lines));
    await client.until(() => client.text.startsWith(`HTTP/1.1 ${status}`));
    expect(server.application.values).toEqual([]);
  });

  it('are rejected with two session ids', async () => {
    const server = await listening();
    const client = await server.open();
    const [opened] = await client.write(post(JSON.stringify(opening()))).count(1);
    const id = opened?.headers['mcp-session-id'] as string;
    const text = post(JSON.stringify(request(1, 'x')), { 'mcp-session-id': id, 'Mcp-Session-Id': id });
    expect((await client.write(text).count(2))[1]?.status).toBe(400);
  });

  it('HTTP/1.0 is answered, and the connection ends', async () => {
    const server = await listening({}, (value, exchange) => {
      void exchange.send('{}');
      return Promise.resolve(result(value));
    });
    const client = await server.open();
    client.write(ask(1).replace('HTTP/1.1', 'HTTP/1.0'));
    await client.end();
    expect(client.text).toContain('data: {"jsonrpc":"2.0","id":1');
  });

  it.each([
    ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['TRACE', 'TRACE /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    [
      'an upgrade',
      'GET /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    ],
    ['an expectation', ask(1, { expect: 'wonders' })],
  ])('rejects %s', async (_title, text) => {
    const server = await listening();
    const client = await server.open();
    client.write(text);
    await client.until(() => client.responses.length > 0).catch(() => client.end());
    for (const { status } of client.responses) expect(status).toBeGreaterThanOrEqual(400);
    await serves(server);
  });

  it('sends 100 Continue for a body that expects it', async () => {
    const server = await listening();
    const client = await server.open();
    const [head = '', body = ''] = ask(5, { expect: '100-continue' }).split('\r\n\r\n');
    client.write(`${head}\r\n\r\n`);
    await client.until(() => client.text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    client.write(body);
    expect((await client.count(2))[1]).toMatchObject({ status: 200 });
  });
});

describe('connections that end early', () => {
  it.each([
    ['before anything', ''],
    ['within the request line', 'POST /m'],
    ['within the headers', 'POST /mcp HTTP/1.1\r\nhost: local'],
    ['within the body', ask(1).slice(0, -10)],
    [
      'within a chunk',
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n50\r\n{',
    ],
  ])('%s: by a reset, an end and a half-close', async (_title, text) => {
    const server = await listening();
    for (const leave of ['resetAndDestroy', 'destroy', 'end'] as const) {
      const client = await server.open();
      if (text !== '') client.write(text);
      await turns(1);
      client.socket[leave]();
      await client.end();
      // The client would take a status for the answer to another request.
      expect(client.text).toBe('');
    }
    expect(server.application.values).toEqual([]);
    expect(server.application.errors).toEqual([]);
    await serves(server);
  });

  it('treats a half-closed connection as a client that left', async () => {
    const exchanges: { readonly gone?: boolean }[] = [];
    const server = await listening({}, (_value, exchange) => {
      exchanges.push(exchange);
      return new Promise(() => undefined);
    });
    const client = await server.open();
    client.socket.end(ask(1));
    await client.end();
    while (exchanges[0]?.gone !== true) await turns(1);
    expect(client.text).toBe('');
  });

  it('releases streams that were reset', async () => {
    const server = await listening();
    const client = await server.open();
    const [opened] = await client.write(post(JSON.stringify(opening()))).count(1);
    const id = opened?.headers['mcp-session-id'];
    for (let round = 0; round < 20; round++) {
      const stream = await server.open();
      stream.write(`GET /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: ${id}\r\n\r\n`);
      await stream.until(() => stream.text.includes('\r\n\r\n'));
      server.application.last.tell('x');
      stream.socket.resetAndDestroy();
    }
    await serves(server);
  });
});

describe('random bytes', () => {
  it('leave the server usable', { timeout: 30_000 }, async () => {
    const server = await listening();
    const pieces = [
      'POST ',
      '/mcp',
      ' HTTP/1.1\r\n',
      'host: localhost\r\n',
      'content-length: 9\r\n',
      '\r\n',
      '{"id":1}',
      'x\u0000',
      ask(7),
    ];
    let state = 42;
    const next = (bound: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state % bound;
    };
    for (let round = 0; round < 40; round++) {
      const clients = await Promise.all(Array.from({ length: 50 }, () => server.open()));
      for (const client of clients) {
        const count = 1 + next(6);
        for (let piece = 0; piece < count; piece++) client.write(pieces[next(pieces.length)] as string);
        if (next(3) === 0) client.socket.resetAndDestroy();
        else client.socket.end();
      }
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(server.application.errors).toEqual([]);
    await serves(server);
  });
});
