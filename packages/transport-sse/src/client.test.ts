import { setImmediate as turn } from 'node:timers/promises';
import { otherBounds } from '@tenon/foundation';
import { type Authorizer, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { type Script, ScriptedSse } from '../test/scripted-sse.js';
import { openSse, type SseConnectionOptions } from './client.js';

const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** Returns a server with the given start of its stream. */
async function beginning(begin: string): Promise<ScriptedSse> {
  const server = await ScriptedSse.start();
  server.onGet = ({ response }) => server.stream(response, begin);
  return server;
}

/** Returns the reason that a connection is not opened; checks that nothing is left of it. */
async function failure(server: ScriptedSse, options: SseConnectionOptions = {}): Promise<unknown> {
  const clock = new FakeClock();
  const error = await openSse(server.url, { clock, ...options })().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await server.deserted();
  expect(clock.waiting).toEqual([]);
  return error;
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Script =>
  ({ response }) =>
    response.writeHead(status, headers).end(body);

describe('opening', () => {
  it.each([
    ['/inbox?session=1', '/inbox?session=1'],
    ['inbox?session=1', '/inbox?session=1'],
    ['?session=1', '/sse?session=1'],
    ['ORIGIN/deep/inbox?a=b&c=d', '/deep/inbox?a=b&c=d'],
  ])('takes %s for a place relative to the stream', async (uri, path) => {
    const server = await ScriptedSse.start();
    const expected = uri.replace('ORIGIN', server.origin);
    server.onGet = ({ response }) => server.stream(response, `event: endpoint\ndata: ${expected}\n\n`);
    const connection = await openSse(server.url)();
    await connection.send(notice);
    expect((await server.post()).request.url).toBe(path);
    await connection.close();
  });

  it('requests an event stream', async () => {
    const server = await ScriptedSse.start();
    let accept: string | undefined;
    server.onGet = ({ request, response }) => {
      accept = request.headers.accept;
      server.stream(response);
    };
    const connection = await openSse(new URL(server.url))();
    expect(accept).toBe('text/event-stream');
    await connection.close();
  });

  it('rejects after endpointWaitMs without an endpoint event, and leaves nothing behind', async () => {
    const server = await beginning(': welcome\n\n');
    const clock = new FakeClock();
    const opening = openSse(server.url, { clock })();
    const expected = expect(opening).rejects.toThrow(
      /did not say where to post within 10000 ms \(limit endpointWaitMs\)/,
    );
    await server.until(() => server.streams.length > 0);
    await clock.advance(10_000);
    await expected;
    await server.deserted();
    expect(clock.waiting).toEqual([]);
  });

  it('rejects after endpointWaitMs when the server does not answer', async () => {
    let asked = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await ScriptedSse.start({ onGet: () => asked() });
    const clock = new FakeClock();
    const opening = openSse(server.url, { clock, limits: otherBounds({ endpointWaitMs: 5 }) })();
    const expected = expect(opening).rejects.toThrow('within 5 ms');
    await arrived;
    await clock.advance(5);
    await expected;
    await server.deserted();
  });

  it('does not count the time of a sign-in for endpointWaitMs', async () => {
    const server = await ScriptedSse.start();
    server.onGet = ({ request, response }) =>
      request.headers.authorization === undefined
        ? response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
        : server.stream(response, request.url === '/sse' ? ': welcome\n\n' : '');
    let signIn = () => {};
    const asked = new Promise<void>((resolve) => {
      signIn = resolve;
    });
    let finish = () => {};
    let token: string | undefined;
    const authorizer: Authorizer = {
      authorize: () => (token === undefined ? undefined : { authorization: token }),
      challenged: () => {
        signIn();
        return new Promise((resolve) => {
          finish = () => {
            token = 'Bearer mine';
            resolve(true);
          };
        });
      },
    };
    const clock = new FakeClock();
    const opening = openSse(server.url, {
      clock,
      authorizer,
      limits: otherBounds({ endpointWaitMs: 1_000 }),
    })();
    const expected = expect(opening).rejects.toThrow('within 1000 ms (limit endpointWaitMs)');
    await asked;
    await clock.advance(60_000);
    finish();
    await server.until(() => server.streams.length > 0);
    await clock.advance(999);
    expect(clock.waiting).toEqual([1]);
    await clock.advance(1);
    await expected;
  });

  it.each([
    ['https://evil.example.com/messages', 'https://evil.example.com'],
    ['//evil.example.com/messages', 'http://evil.example.com'],
    ['javascript:alert(1)', 'javascript:'],
    ['http://127.0.0.1:1/messages', 'http://127.0.0.1:1'],
  ])('sends nothing to %s', async (uri, named) => {
    const server = await beginning(`event: endpoint\ndata: ${uri}\n\n`);
    const error = await failure(server);
    expect(error).toBeInstanceOf(TransportError);
    expect((error as Error).message).toContain(`another origin (${named})`);
  });

  it.each([
    ['event: endpoint\ndata: http://[\n\n', 'not a URI'],
    ['event: message\ndata: {}\n\n', 'before it said where to post'],
    [`event: endpoint\ndata: /${'x'.repeat(5_000)}\n\n`, 'maxEventChars'],
  ])('refuses a stream that begins with %j', async (begin, expected) => {
    const error = await failure(await beginning(begin), { limits: otherBounds({ maxEventChars: 4_096 }) });
    expect(error).toBeInstanceOf(TransportError);
    expect((error as Error).message).toContain(expected);
  });

  it.each([
    [200, 'text/html', 'content type "text/html"'],
    [200, '', 'no content type'],
    [204, '', 'HTTP 204'],
    [401, 'text/plain', 'requires authorization'],
    [404, 'text/plain', 'HTTP 404: go away'],
    [500, 'application/octet-stream', 'HTTP 500.'],
  ])('tells of an answer of %i with %j', async (status, type, expected) => {
    const headers = type === '' ? {} : { 'content-type': type };
    const server = await ScriptedSse.start({
      onGet: answering(status, headers, status === 204 ? '' : 'go away'),
    });
    const error = await failure(server);
    expect(error).toMatchObject({ name: 'TransportError', status });
    expect((error as Error).message).toContain(expected);
  });

  it('reads only the beginning of an error response', async () => {
    const server = await ScriptedSse.start({
      onGet: ({ response }) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.write('x'.repeat(200_000));
      },
    });
    expect(await failure(server)).toMatchObject({ status: 500 });
  });

  it('rejects when the stream ends too soon, breaks, or is missing', async () => {
    const ended = await ScriptedSse.start({
      onGet: answering(200, { 'content-type': 'text/event-stream' }, ': bye\n\n'),
    });
    expect(await failure(ended)).toBeInstanceOf(TransportError);
    const broken = await ScriptedSse.start({ onGet: ({ request }) => request.socket.resetAndDestroy() });
    expect(await failure(broken)).toBeInstanceOf(TransportError);
    await expect(openSse('http://127.0.0.1:1/sse')()).rejects.toThrow(TransportError);
  });

  it('rejects with the error of the application headers', async () => {
    const server = await ScriptedSse.start();
    const headers = () => Promise.reject(new Error('no token'));
    const error = await failure(server, { headers });
    expect((error as Error).message).toContain('no token');
  });
});

describe('redirects', () => {
  it('are followed within the origin, for the stream and for messages', async () => {
    const server = await ScriptedSse.start();
    server.onGet = ({ request, response }) => {
      if (request.url === '/sse') response.writeHead(307, { location: '/deep/events' }).end();
      else server.stream(response, 'event: endpoint\ndata: inbox\n\n');
    };
    server.onPost = ({ request, response }) => {
      if (request.url === '/deep/inbox') response.writeHead(308, { location: '/moved' }).end();
      else response.writeHead(202).end();
    };
    const connection = await openSse(server.url)();
    await connection.send(notice);
    await connection.send(notice);
    expect(server.posts.map(({ request }) => request.url)).toEqual(['/deep/inbox', '/moved', '/moved']);
    await connection.close();
  });

  it('are rejected to another origin, and nothing is sent there', async () => {
    const elsewhere = await ScriptedSse.start();
    const headers = { authorization: 'Bearer secret' };
    const stream = await ScriptedSse.start({ onGet: answering(302, { location: elsewhere.url }) });
    expect((await failure(stream, { headers })) as Error).toMatchObject({
      message: expect.stringContaining(elsewhere.origin),
      status: 302,
    });
    const inbox = await ScriptedSse.start({ onPost: answering(307, { location: elsewhere.url }) });
    const connection = await openSse(inbox.url, { headers })();
    await expect(connection.send(notice)).rejects.toThrow(elsewhere.origin);
    await connection.close();
    await turn();
    expect([...elsewhere.streams, ...elsewhere.posts]).toEqual([]);
  });

  it('are limited in number', async () => {
    const server = await ScriptedSse.start({ onGet: answering(307, { location: '/sse' }) });
    expect((await failure(server)) as Error).toMatchObject({
      message: expect.stringContaining('more than 5 times'),
    });
  });
});

describe('options', () => {
  it('may contain HTTP limits that have no effect here', () => {
    const limits = { maxConnections: 1, maxAnswerBytes: 1_000 };
    expect(() => openSse('http://127.0.0.1/sse', { limits })).not.toThrow();
  });

  it('are checked immediately', () => {
    for (const url of ['ftp://example.com', 'nonsense', 'http://user:pass@example.com/sse']) {
      expect(() => openSse(url)).toThrow(TypeError);
    }
    const url = 'http://127.0.0.1/sse';
    expect(() => openSse(url, { headers: { 'content-type': 'text/plain' } })).toThrow(TypeError);
    expect(() => openSse(url, { headers: { 'x-a': 'a\r\nb: c' } })).toThrow(TypeError);
    for (const maxConnections of [0, -1, Number.NaN]) {
      expect(() => openSse(url, { limits: { maxConnections } })).toThrow(RangeError);
    }
    expect(() => openSse(url, { limits: { nonsense: 1 } as object })).toThrow(TypeError);
  });
});
