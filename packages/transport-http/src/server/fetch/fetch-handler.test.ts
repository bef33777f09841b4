import { otherBounds } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication, type Play, result } from '../../../test/fake-application.js';
import { opening, postHeaders, request, stateless } from '../../../test/fake-service.js';
import type { HttpOptions } from '../http-options.js';
import { fetchHandler } from './fetch-handler.js';

const url = 'http://localhost/mcp';

function handling(options: HttpOptions = {}, play?: Play) {
  const application = new FakeApplication(play);
  const handler = fetchHandler(application, options);
  const post = (value: unknown, headers: object = {}, init: RequestInit = {}) => {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    return handler(
      new Request(url, { method: 'POST', body, ...init, headers: { ...postHeaders, ...headers } }),
    );
  };
  return { application, handler, post };
}

const asked = (id: number) => stateless(id) as [object, object];

describe('a request', () => {
  it('is answered with JSON', async () => {
    const { post } = handling();
    const response = await post(...asked(3));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
  });

  it('is answered with a stream as soon as there is an event', async () => {
    let finish = () => {};
    const { post } = handling({}, (value, exchange) => {
      void exchange.send('{"n":1}');
      return new Promise((resolve) => (finish = () => resolve(result(value))));
    });
    const response = await post(...asked(3));
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    finish();
    expect(await response.text()).toBe('data: {"n":1}\n\ndata: {"jsonrpc":"2.0","id":3,"result":{}}\n\n');
  });

  it('is accepted without a body if it is a notification', async () => {
    const { post } = handling();
    const response = await post({ jsonrpc: '2.0', method: 'notifications/x' }, asked(1)[1]);
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it.each<[string, RequestInit, number]>([
    ['GET without a session', { method: 'GET', body: null }, 400],
    ['PUT', { method: 'PUT' }, 405],
    ['another host', { headers: { host: 'evil.example' } }, 403],
    ['another origin', { headers: { host: 'localhost', origin: 'https://evil.example' } }, 403],
    ['another content type', { headers: { host: 'localhost', 'content-type': 'text/plain' } }, 415],
  ])('is rejected: %s', async (_title, init, status) => {
    const { handler } = handling();
    const response = await handler(new Request(url, { method: 'POST', body: '{}', ...init }));
    expect(response.status).toBe(status);
  });

  it.each([
    ['a status', { status: 999 }],
    ['a body', { status: 204, reason: 'No.' }],
    ['a header', { status: 401, headers: { 'www-authenticate': 'a\nb' } }],
  ])('is answered when authenticate returns %s that cannot be sent', async (_title, refusal) => {
    const { post, application } = handling({ authenticate: () => refusal });
    expect((await post(...asked(1))).status).toBe(500);
    expect(application.errors).toMatchObject([{ where: 'authenticate' }]);
  });

  it('is checked by its URL if the runtime hides the Host header', async () => {
    const { handler } = handling();
    const ask = (from: string) =>
      handler(
        new Request(from, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
      );
    expect((await ask('http://evil.example/mcp')).status).toBe(403);
    expect((await ask('http://127.0.0.1:8787/mcp')).status).toBe(400);
  });
});

describe('a body', () => {
  const limits = { bodyBytes: 100 };

  it.each<[string, string | Uint8Array | ReadableStream, number]>([
    ['too long, declared', 'x'.repeat(101), 413],
    ['too long, undeclared', new Blob(['x'.repeat(101)]).stream(), 413],
    ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 400],
    ['half a character', Uint8Array.of(0x22, 0xe2, 0x82), 400],
    ['with a byte order mark', '\ufeff{}', 400],
    ['empty', '', 400],
  ])('%s', async (_title, body, status) => {
    const { handler } = handling({ limits });
    const init = { method: 'POST', body, headers: postHeaders, duplex: 'half' } as RequestInit;
    const response = await handler(new Request(url, init));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
  });

  it('may be split anywhere', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(request('€😀', 'initialize')));
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { handler } = handling();
    const init = { method: 'POST', body, headers: postHeaders, duplex: 'half' } as RequestInit;
    const response = await handler(new Request(url, init));
    expect(await response.json()).toMatchObject({ id: '€😀' });
  });

  it('ends the request when it breaks off', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('reset')),
    });
    const { handler, application } = handling();
    const init = { method: 'POST', body, headers: postHeaders, duplex: 'half' } as RequestInit;
    expect((await handler(new Request(url, init))).status).toBe(499);
    expect(application.values).toEqual([]);
  });

  it('can be passed on after parsing, and must be if it was read', async () => {
    const { handler, application } = handling();
    const [value, headers] = asked(1);
    const make = () =>
      new Request(url, { method: 'POST', body: '{}', headers: { ...postHeaders, ...headers } });
    expect((await handler.serve(make(), { body: value, principal: { id: 'ada' } })).status).toBe(200);
    const read = make();
    await read.text();
    expect((await handler(read)).status).toBe(500);
    expect(application.errors).toMatchObject([{ error: { message: expect.stringContaining('{ body }') } }]);
  });
});

describe('a client that disconnects', () => {
  const held = (options: HttpOptions = {}) => {
    const exchanges: { readonly gone?: boolean; send(frame: string): unknown }[] = [];
    const made = handling(options, (_value, exchange) => {
      exchanges.push(exchange);
      return new Promise(() => undefined);
    });
    return { ...made, exchanges };
  };

  it('cancels when its signal aborts', async () => {
    const { post, exchanges } = held();
    const leaving = new AbortController();
    const response = post(...asked(1), { signal: leaving.signal });
    while (exchanges.length === 0) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    expect(exchanges[0]?.gone).toBe(true);
    expect((await response).status).toBe(499);
  });

  it('cancels when its stream is no longer read', async () => {
    const { post, exchanges } = held();
    const response = post(...asked(1));
    while (exchanges.length === 0) await new Promise((resolve) => setImmediate(resolve));
    exchanges[0]?.send('{}');
    await (await response).body?.cancel();
    expect(exchanges[0]?.gone).toBe(true);
    expect(exchanges[0]?.send('{}')).toBeUndefined();
  });

  it('receives the end of its stream', async () => {
    const { post, exchanges } = held();
    const leaving = new AbortController();
    const response = post(...asked(1), { signal: leaving.signal });
    while (exchanges.length === 0) await new Promise((resolve) => setImmediate(resolve));
    exchanges[0]?.send('{}');
    const text = (await response).text();
    leaving.abort();
    expect(await text).toBe('data: {}\n\n');
  });

  it('cancels when it had disconnected before', async () => {
    const { post, exchanges } = held();
    const response = await post(...asked(1), { signal: AbortSignal.abort() }).catch((error) => error);
    await settled();
    expect(response instanceof Error || response.status === 499).toBe(true);
    expect(exchanges.every((one) => one.gone)).toBe(true);
  });

  it('makes writers wait, and is cut off at the limit', async () => {
    const { post, exchanges } = held();
    const response = post(...asked(1));
    while (exchanges.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const frame = JSON.stringify('x'.repeat(1_048_576));
    expect(exchanges[0]?.send(frame)).toBeInstanceOf(Promise);
    for (let count = 0; count < 20; count++) exchanges[0]?.send(frame);
    expect(exchanges[0]?.gone).toBe(true);
    await expect((await response).text()).rejects.toThrow(/did not read the answer/);
  });

  it('is cut off at the configured limit', async () => {
    const { post, exchanges } = held({ limits: otherBounds({ unread: 10_000 }) });
    void post(...asked(1));
    while (exchanges.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const frame = JSON.stringify('x'.repeat(1_000));
    for (let count = 0; count < 9; count++) exchanges[0]?.send(frame);
    expect(exchanges[0]?.gone).toBe(false);
    for (let count = 0; count < 2; count++) exchanges[0]?.send(frame);
    expect(exchanges[0]?.gone).toBe(true);
  });

  it('makes writers wait until it reads', async () => {
    const { post, exchanges } = held();
    const response = post(...asked(1));
    while (exchanges.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const patience = exchanges[0]?.send(JSON.stringify('x'.repeat(200_000))) as Promise<void>;
    const reader = (await response).body?.getReader();
    await reader?.read();
    await patience;
    await reader?.cancel();
  });
});

describe('a session', () => {
  it('opens, streams, resumes and ends', async () => {
    const { post, handler, application } = handling();
    const opened = await post(opening());
    const id = opened.headers.get('mcp-session-id') as string;
    const get = (headers: object = {}) =>
      handler(new Request(url, { headers: { 'mcp-session-id': id, ...headers } }));
    const stream = await get();
    application.last.tell('one');
    const reader = stream.body?.getReader();
    let text = '';
    while (!text.includes('"one"')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    application.last.tell('two');
    expect(handler.sessions).toBe(1);
    const again = await get({ 'last-event-id': '0.1' });
    await settled();
    const gone = handler(new Request(url, { method: 'DELETE', headers: { 'mcp-session-id': id } }));
    expect((await gone).status).toBe(204);
    expect(await again.text()).toContain('"two"');
    expect(handler.sessions).toBe(0);
  });
});

describe('drain', () => {
  it('rejects new requests, and ends running ones', async () => {
    const { post, handler, application } = handling({}, (value, exchange) => {
      void exchange.send('{}');
      return new Promise((resolve) => exchange.onEnding?.(() => resolve(result(value))));
    });
    const listening = await post(...asked(1));
    expect(handler.ready).toBe(true);
    await handler.drain();
    expect(handler.ready).toBe(false);
    expect(await listening.text()).toContain('"result":{}');
    expect((await post(...asked(2))).status).toBe(503);
    expect(application.values).toHaveLength(1);
  });

  it('ends every response', async () => {
    const { post, handler, application } = handling({}, () => new Promise(() => undefined));
    const response = post(...asked(1));
    while (application.values.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const draining = handler.drain();
    await application.clock.advance(5_000);
    await draining;
    expect((await response).status).toBe(500);
  });
});
