import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeApplication, result } from '../../test/fake-application.js';
import { listening } from '../../test/fake-listening.js';
import { opening, request, stateless } from '../../test/fake-service.js';
import { post } from '../../test/raw-http.js';
import { idOf } from '../server/call/refusal.js';
import type { SideMount } from '../server/http-service.js';
import { listenHttp } from './listening.js';

const ask = (id: number, more: object = {}) => {
  const [value, headers] = stateless(id);
  return post(JSON.stringify(value), { ...headers, ...more });
};

describe('a server', () => {
  it('listens at 127.0.0.1, at any free port, at /mcp', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/one-endpoint',
      '2026-07-28/basic/transports/streamable-http/bind-localhost',
    );
    const { serving } = await listening();
    expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  });

  it('answers requests', async () => {
    const { open } = await listening();
    const client = await open();
    const [response] = await client.write(ask(5)).count(1);
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(response?.body ?? '')).toEqual({ jsonrpc: '2.0', id: 5, result: {} });
  });

  it('keeps a connection open for the next request', async () => {
    const { open } = await listening();
    const client = await open();
    await client.write(ask(1)).count(1);
    expect((await client.write(ask(2)).count(2)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('rejects if the port is in use', async () => {
    const { serving } = await listening();
    const port = Number(new URL(serving.url).port);
    await expect(listenHttp(new FakeApplication(), { port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Port ${port} of 127.0.0.1 is in use by another program: end that program, or give another port; port 0 takes any free one (EADDRINUSE).`,
    });
  });

  it.each<[object, RegExp, ...string[]]>([
    [{ host: '0.0.0.0' }, /allowedHosts/, '2026-07-28/basic/transports/streamable-http/bind-localhost'],
    [{ host: '::' }, /allowedHosts/],
    [{ host: '192.0.2.1' }, /allowedHosts/],
    [{ path: 'mcp' }, /slash/],
    [{ path: '/healthz' }, /health check/],
    [{ limits: { session: 1 } }, /Unknown limit/],
    [{ authentcate: () => undefined }, /no option "authentcate"\. Did you mean "authenticate"\?$/],
    [{ prot: 80 }, /no option "prot"\. Did you mean "port"\?$/],
    [{ colour: 1 }, /no option "colour"\. There are: allowedHosts,/],
    [{ sessions: true }, /sessions must be false/],
    [{ writeTimeout: 0 }, /writeTimeout must be a positive number/],
    [{ allowedHosts: ['a b'] }, /not a valid host name/],
  ])('rejects invalid options: %j', async (options, message, ...ids) => {
    shows(...ids);
    await expect(listenHttp(new FakeApplication(), options as never)).rejects.toThrow(message);
  });

  it('listens at every address if allowedHosts is set', async () => {
    const { open, serving } = await listening({ host: '0.0.0.0', allowedHosts: ['mcp.example.com'] });
    expect(serving.url).toContain('0.0.0.0');
    const client = await open();
    const responses = await client
      .write(ask(1))
      .write(ask(2, { host: 'MCP.example.com' }))
      .count(2);
    expect(responses.map(({ status }) => status)).toEqual([403, 200]);
  });
});

describe('paths', () => {
  const mount: SideMount = {
    paths: ['/other'],
    handle: (call) => call.send(200, {}, 'other'),
    drain: () => Promise.resolve(),
  };

  it.each([
    ['/mcp', 405],
    ['/mcp?x=/other', 405],
    ['/mcp/', 404],
    ['//mcp', 404],
    ['/MCP', 404],
    ['/mcp/../mcp', 404],
    ['/%6dcp', 404],
    ['/mcp%3f', 404],
    ['/mcp;x', 404],
    ['/mcp#x', 404],
    ['http://127.0.0.1/mcp', 405],
    ['http://evil.example/mcp', 403],
    ['*', 404],
    ['/', 404],
    ['/__proto__', 404],
    ['/other', 200],
    ['/other?a', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/readyz?x', 200],
  ])('answers %s with %i', async (target, status) => {
    const { open } = await listening({ mounts: [mount] });
    const client = await open();
    client.write(`OPTIONS ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    expect((await client.count(1))[0]?.status).toBe(status);
  });

  it('cannot be used twice', async () => {
    const options = { mounts: [{ ...mount, paths: ['/mcp'] }] };
    await expect(listenHttp(new FakeApplication(), options)).rejects.toThrow(/Two mounts/);
  });

  it('of health checks can be disabled', async () => {
    const { open } = await listening({ health: false });
    const client = await open();
    client.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect((await client.count(1))[0]?.status).toBe(404);
  });

  it('beside the endpoint have the same guard', async () => {
    shows('2026-07-28/basic/transports/streamable-http/validate-origin');
    const { open } = await listening({ mounts: [mount] });
    const client = await open();
    client.write('GET /other HTTP/1.1\r\nhost: evil.example\r\n\r\n');
    expect((await client.count(1))[0]?.status).toBe(403);
  });
});

describe('limits of a connection', () => {
  it('answers 431 for too many bytes of headers', async () => {
    const { open } = await listening({ headerBytes: 2_048 });
    const client = await open();
    client.write(ask(1, { 'x-long': 'x'.repeat(4_096) }));
    await client.end();
    expect(client.text).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('answers 413 for a body that is too long, and a reading client receives it', async () => {
    const { open, application } = await listening({ limits: { bodyBytes: 100_000, drain: 100 } });
    const client = await open();
    client.write(post('x'.repeat(5_000_000)));
    const [response] = await client.count(1);
    expect(response).toMatchObject({ status: 413 });
    expect(JSON.parse(response?.body ?? '').error.message).toContain('100000 bytes');
    expect(application.values).toEqual([]);
  });

  it('keeps the connection open after a long body, because a sending client would miss the answer', async () => {
    const { open } = await listening({ limits: { bodyBytes: 1_000, drain: 100 } });
    const client = await open();
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    const endless = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
    client.write(`${endless}transfer-encoding: chunked\r\n\r\n${chunk}`);
    expect((await client.count(1))[0]?.status).toBe(413);
    client.write(`${chunk.repeat(500)}0\r\n\r\n`).write(ask(2));
    expect((await client.count(2))[1]?.status).toBe(200);
  });

  it('answers 408 for a slow body', async () => {
    const { open, application } = await listening({ requestTimeout: 200 });
    const client = await open();
    client.write(post('', { 'content-length': '10' }));
    await client.end();
    expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(application.values).toEqual([]);
  });

  it('answers 408 for slow headers', async () => {
    const { open } = await listening({ requestTimeout: 200 });
    const client = await open();
    client.write('POST /mcp HTTP/1.1\r\nhost: local');
    await client.end();
    expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('closes an idle connection', async () => {
    const { open } = await listening({ idleTimeout: 50 });
    const client = await open();
    await client.write(ask(1)).count(1);
    await client.end();
  });

  it('do not end an answer that takes long', async () => {
    let finish = () => {};
    const { open } = await listening(
      { requestTimeout: 100 },
      (value) => new Promise((resolve) => (finish = () => resolve(result(value)))),
    );
    const slow = await open();
    slow.write(ask(1));
    const cut = await open();
    cut.write('POST /mcp');
    await cut.end();
    finish();
    expect((await slow.count(1))[0]?.status).toBe(200);
  });

  it('close an unread stream after the time limit, but not a request that waits for its answer', async () => {
    let finish = () => {};
    let cutOff = () => {};
    const cut = new Promise<void>((resolve) => (cutOff = resolve));
    const { open } = await listening({ writeTimeout: 50 }, (value, exchange) => {
      if (idOf(value) === 1) return new Promise((resolve) => (finish = () => resolve(result(value))));
      exchange.signal?.addEventListener('abort', () => cutOff());
      void exchange.send(JSON.stringify({ large: 'x'.repeat(12 * 1_048_576) }));
      return new Promise(() => {});
    });
    const slow = await open();
    slow.write(ask(1));
    const deaf = await open();
    deaf.socket.pause();
    deaf.write(ask(2));
    await cut;
    finish();
    expect((await slow.count(1))[0]?.status).toBe(200);
  });

  it('close connections above the maximum', async () => {
    const { open } = await listening({ maxConnections: 1 });
    const first = await open();
    await first.write(ask(1)).count(1);
    const second = await open();
    await second.end();
    expect(second.text).toBe('');
  });
});

describe('a session over sockets', () => {
  it('opens, streams, and ends', async () => {
    const { open, application, serving } = await listening();
    const client = await open();
    const [opened] = await client.write(post(JSON.stringify(opening()))).count(1);
    const id = opened?.headers['mcp-session-id'] as string;
    const stream = await open();
    stream.write(`GET /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: ${id}\r\n\r\n`);
    await stream.until(() => stream.text.includes('id: 0.0'));
    application.last.tell('changed');
    await stream.until(() => stream.text.includes('"changed"'));
    client.write(`DELETE /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: ${id}\r\n\r\n`);
    expect((await client.count(2))[1]).toMatchObject({ status: 204 });
    await stream.count(1);
    client.write(post(JSON.stringify(request(1, 'ping')), { 'mcp-session-id': id }));
    expect((await client.count(3))[2]?.status).toBe(404);
    await serving.close();
  });
});
