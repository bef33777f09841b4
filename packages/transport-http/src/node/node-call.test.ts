import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { post, RawHttp } from '../../test/raw-http.js';
import { Traffic, trafficSettings } from '../server/admission/traffic.js';
import type { Body } from '../server/call/http-call.js';
import { NodeCall } from './node-call.js';

interface Exchange {
  readonly call: NodeCall;
  readonly client: RawHttp;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const traffic = new Traffic(trafficSettings({ clock: new FakeClock() }, {}));

/** Sends a text to a server, and returns the call it makes. */
async function calling(text: string): Promise<Exchange> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await RawHttp.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write(text);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { call: new NodeCall(request, response, { traffic }), client, request, response };
}

const isOurs = (listener: { readonly name: string }) => listener.name === 'onEnd';
const body = (call: NodeCall, limit = 1_000) => new Promise<Body>((resolve) => call.readBody(limit, resolve));

describe('a request', () => {
  it('has the path of the client if a framework removed its mount path', async () => {
    const { request, response } = await calling(post('{}').replace('/mcp', '/api/mcp?x=1'));
    Object.assign(request, { originalUrl: request.url, url: '/?x=1' });
    expect(new NodeCall(request, response, { traffic }).url).toBe('/api/mcp?x=1');
  });

  it('has its method, URL and headers', async () => {
    const { call } = await calling(post('{}', { 'X-Odd': 'a', 'x-odd': 'b' }).replace('/mcp', '/mcp?x=1'));
    expect([call.method, call.url, call.header('x-odd'), call.header('none')]).toEqual([
      'POST',
      '/mcp?x=1',
      'a, b',
      undefined,
    ]);
  });
});

describe('a request over HTTP/2', () => {
  it('has its host from the :authority field', async () => {
    const server = createHttp2Server().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(`http://localhost:${port}`);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    client.request({ ':path': '/mcp' }).end();
    const [request, response] = await once(server, 'request');
    expect(new NodeCall(request, response, { traffic }).header('host')).toBe(`localhost:${port}`);
  });
});

describe('a body', () => {
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const chunked = (...texts: string[]) =>
    `POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${texts.map(chunk).join('')}0\r\n\r\n`;

  it.each<[string, string, object]>([
    ['in one piece', post('{"a":"ä€😀"}'), { text: '{"a":"ä€😀"}' }],
    ['empty', post(''), { text: '' }],
    ['chunked', chunked('{"a"', ':1', '}'), { text: '{"a":1}' }],
    ['of exactly the limit', post('x'.repeat(1_000)), { text: 'x'.repeat(1_000) }],
    ['declared as too long', post('', { 'content-length': '1001' }), { problem: { status: 413 } }],
    [
      'longer than the limit, undeclared',
      chunked('x'.repeat(600), 'x'.repeat(600)),
      { problem: { status: 413 } },
    ],
    ['with a byte order mark', post('\ufeff{}'), { text: '\ufeff{}' }],
  ])('%s', async (_title, text, expected) => {
    const { call } = await calling(text);
    expect(await body(call)).toMatchObject(expected);
  });

  it.each<[string, number[], ...string[]]>([
    ['an invalid byte', [0x22, 0xff, 0x22], '2026-07-28/basic/transports/index/utf-8'],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
  ])('is rejected if it is not UTF-8: %s', async (_title, bytes, ...ids) => {
    shows(...ids);
    const text = post('', { 'content-length': `${bytes.length}` });
    const { call, client } = await calling(text);
    client.write(Uint8Array.from(bytes));
    expect(await body(call)).toMatchObject({ problem: { status: 400 } });
  });

  it('releases its bytes before its answer ends', async () => {
    const { call, request } = await calling(post('{}'));
    await body(call);
    expect([request.listenerCount('data'), request.listeners('end').filter(isOurs)]).toEqual([0, []]);
  });

  it('is assembled from single bytes', async () => {
    const json = '{"a":"€😀"}';
    const { call, client } = await calling(post('', { 'content-length': `${Buffer.byteLength(json)}` }));
    const read = body(call);
    client.socket.setNoDelay(true);
    for (const byte of Buffer.from(json)) {
      client.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await read).toEqual({ text: json });
  });

  it('is never delivered if it breaks off, and throws nothing', async () => {
    const { call, client, request } = await calling(post('{"a', { 'content-length': '100' }));
    let taken = false;
    call.readBody(1_000, () => {
      taken = true;
    });
    client.socket.resetAndDestroy();
    await new Promise((resolve) => request.once('close', resolve));
    expect([taken, call.closed]).toEqual([false, true]);
  });

  it('does not wait for a body that was read earlier', async () => {
    const { call, request } = await calling(post('{}'));
    request.resume();
    await once(request, 'end');
    expect(await body(call)).toMatchObject({ problem: { status: 500 } });
  });

  describe('a body that was read earlier', () => {
    /** Returns the call of a request with a body that middleware has read, and left in `request.body`. */
    async function readBefore(text: string, left: unknown): Promise<NodeCall> {
      const { request, response } = await calling(text);
      await once(request.resume(), 'end');
      if (left !== undefined) Object.assign(request, { body: left });
      return new NodeCall(request, response, { traffic });
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const text = JSON.stringify(message);

    it.each<[string, unknown, object]>([
      ['a value, as express.json() leaves', message, { value: message }],
      ['a text, as express.text() leaves', text, { text }],
      ['bytes, as express.raw() leaves', Buffer.from(text), { text }],
      ['bytes that are not UTF-8', Buffer.from([0xff]), { problem: { status: 400 } }],
      ['nothing', undefined, { problem: { status: 500, reason: expect.stringContaining('request.body') } }],
    ])('is %s', async (_, left, expected) => {
      expect(await body(await readBefore(post(text), left))).toMatchObject(expected);
    });

    it.each<[string, string, unknown]>([
      ['the header', post(text), message],
      ['the text', chunked(text), text],
      ['the bytes', chunked(text), Buffer.from(text)],
    ])('is limited: by %s', async (_, sent, left) => {
      const problem = { status: 413, reason: 'The body is longer than 9 bytes.' };
      expect(await body(await readBefore(sent, left), 9)).toEqual({ problem });
    });
  });

  it('is read from the request if middleware set request.body without reading', async () => {
    const { request, response } = await calling(post('{"a":1}'));
    Object.assign(request, { body: {} });
    expect(await body(new NodeCall(request, response, { traffic }))).toEqual({ text: '{"a":1}' });
  });
});

describe('a whole answer', () => {
  it('has a length in bytes and the headers that were added', async () => {
    const { call, client } = await calling(post('{}'));
    call.addHeaders({ 'x-a': '1' });
    call.addHeaders({ 'x-b': '2' });
    call.send(200, { 'content-type': 'application/json' }, '"€"');
    const [response] = await client.count(1);
    expect(response).toMatchObject({
      status: 200,
      headers: { 'content-length': '5', 'x-a': '1', 'x-b': '2', 'content-type': 'application/json' },
    });
    expect(call.closed).toBe(true);
  });

  it.each([
    [202, '0'],
    [204, undefined],
  ])('has no body with status %i', async (status, length) => {
    const { call, client } = await calling(post('{}'));
    call.send(status, {});
    const [response] = await client.count(1);
    expect(response).toMatchObject({ status, body: '' });
    expect(response?.headers['content-length']).toBe(length);
    expect(response?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('is sent once', async () => {
    const { call, client } = await calling(post('{}'));
    call.send(200, {}, 'first');
    call.send(500, {}, 'second');
    call.open({});
    expect(call.write('third')).toBeUndefined();
    call.end('fourth');
    expect((await client.count(1)).map((one) => one.body)).toEqual(['first']);
  });
});

describe('a stream', () => {
  it('starts at once, before there is an event', async () => {
    const { call, client } = await calling(post('{}'));
    call.open({ 'content-type': 'text/event-stream' });
    await client.until(() => client.text.includes('\r\n\r\n'));
    expect(client.text).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream\r\n/);
    expect(call.closed).toBe(false);
  });

  it('sends the texts of one tick in one chunk', async () => {
    const { call, client } = await calling(post('{}'));
    call.open({});
    for (const text of ['a', 'b', 'c']) void call.write(text);
    await client.until(() => client.text.includes('abc'));
    expect(client.text).toContain('\r\n3\r\nabc\r\n');
    void call.write('d');
    call.end('e');
    const [response] = await client.count(1);
    expect(response?.body).toBe('abcde');
  });

  it('makes writers wait when the client does not read, and cuts it off at the limit', async () => {
    const { call, client, response } = await calling(post('{}'));
    client.socket.pause();
    call.open({});
    let gone = false;
    call.onGone(() => {
      gone = true;
    });
    const text = 'x'.repeat(1_048_576);
    let patience: Promise<void> | undefined;
    while (!call.closed) {
      patience = call.write(text) ?? patience;
      expect(response.writableLength).toBeLessThan(18 * 1_048_576);
    }
    expect(patience).toBeInstanceOf(Promise);
    await patience;
    expect(gone).toBe(true);
  });

  it('stops making writers wait when the client reads again', async () => {
    const { call, client } = await calling(post('{}'));
    client.socket.pause();
    call.open({});
    const text = 'x'.repeat(1_048_576);
    let patience: Promise<void> | undefined;
    for (let count = 0; count < 12; count++) patience = call.write(text);
    expect(patience).toBeInstanceOf(Promise);
    client.socket.resume();
    await patience;
    call.end();
    await client.until(() => client.text.length > 12 * 1_048_576 && client.text.endsWith('0\r\n\r\n'));
    expect(client.responses[0]?.body.length).toBe(12 * 1_048_576);
  });
});

describe('a client that disconnects', () => {
  it.each(['resetAndDestroy', 'destroy'] as const)('calls the onGone task once: %s', async (leave) => {
    const { call, client } = await calling(post('{}'));
    await body(call);
    let times = 0;
    const gone = new Promise<void>((resolve) =>
      call.onGone(() => {
        times++;
        resolve();
      }),
    );
    client.socket[leave]();
    await gone;
    expect([times, call.closed]).toEqual([1, true]);
    call.send(200, {}, 'too late');
  });

  it('calls the onGone task even if nothing watched the connection before', async () => {
    const { call, client, response } = await calling(post('{}'));
    client.socket.destroy();
    await once(response, 'close');
    await new Promise<void>((resolve) => call.onGone(resolve));
  });

  it('calls no onGone task after the answer', async () => {
    const { call, client, response } = await calling(post('{}'));
    let gone = false;
    call.onGone(() => {
      gone = true;
    });
    call.send(200, {}, 'x');
    await client.count(1);
    client.socket.destroy();
    if (!response.closed) await once(response, 'close');
    expect(gone).toBe(false);
  });
});
