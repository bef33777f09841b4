import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { allTextsOf } from '../../test/client/grant-tools.js';
import { listen, startServer } from '../../test/http/http-server.js';
import type { OauthRequest } from './oauth-http.js';
import { type SafeHttpOptions, safeHttp } from './safe-http.js';

const get = (url: string, more: Partial<OauthRequest> = {}): OauthRequest => ({
  method: 'GET',
  url: new URL(url),
  ...more,
});

const local = (server: { readonly origin: string }, options: Partial<SafeHttpOptions> = {}) =>
  safeHttp({ server: new URL(server.origin), ...options });

test('returns the whole response, and sends no cookies', async () => {
  let seen: NodeJS.Dict<string | string[]> = {};
  const server = await startServer((request, response) => {
    seen = request.headers;
    response.setHeader('content-type', 'Application/JSON; charset=utf-8');
    response.setHeader('set-cookie', 'a=b');
    response.writeHead(203).end('{"\u00e9":1}');
  });
  const http = local(server);
  const answer = await http.send(get(`${server.origin}/a/b?c=d#e`, { headers: { 'x-own': 'yes' } }));
  expect(answer).toMatchObject({ status: 203, mediaType: 'application/json', text: '{"\u00e9":1}' });
  expect(answer.header('set-cookie')).toBe('a=b');
  expect(answer.header('location')).toBeUndefined();
  expect(server.asked).toEqual(['GET /a/b?c=d']);
  expect(seen).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity', 'x-own': 'yes' });
  await http.send(get(server.origin));
  expect(seen).not.toHaveProperty('cookie');
});

test('uses the fetch of the runtime outside Node', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json({ a: 1 });
  };
  vi.stubGlobal('process', { versions: {} });
  vi.stubGlobal('fetch', fetch);
  try {
    const http = safeHttp({ server: new URL('https://mcp.example') });
    expect(await http.send(get('https://auth.example/x'))).toMatchObject({ text: '{"a":1}' });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(asked).toEqual(['https://auth.example/x']);
});

test('sends a user agent', async () => {
  const agents: unknown[] = [];
  const server = await startServer((request, response) => {
    agents.push(request.headers['user-agent']);
    response.end('{}');
  });
  await local(server).send(get(server.origin));
  await local(server).send(get(server.origin, { headers: { 'user-agent': 'another/1' } }));
  expect(agents).toEqual(['tenon-mcp', 'another/1']);
});

test('sends bytes with any method, and returns the bytes of the response', async () => {
  const server = await startServer((request, response) => {
    request.pipe(response);
  });
  const body = Uint8Array.of(0, 255, 128);
  const answer = await local(server).send({ method: 'PUT', url: new URL(server.origin), body });
  expect(answer.bytes).toEqual(body);
  expect(server.asked).toEqual(['PUT /']);
});

test('follows no redirect of a DELETE', async () => {
  const server = await startServer((_, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const answer = await local(server).send({ method: 'DELETE', url: new URL(server.origin) });
  expect(answer.status).toBe(307);
  expect(server.asked).toEqual(['DELETE /']);
});

test('permits public addresses alone without a configured server', async () => {
  const http = safeHttp({ allow: ['http://10.0.0.7'], fetch: async () => Response.json({}) });
  for (const url of ['https://10.0.0.1', 'https://localhost', 'http://127.0.0.1', 'https://169.254.169.254'])
    await expect(http.send(get(url))).rejects.toMatchObject({ reason: 'forbidden-address' });
  await http.send(get('https://api.example'));
  await http.send(get('http://10.0.0.7'));
});

test('sends the body of a POST, and returns any status', async () => {
  const server = await startServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end(body));
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request: OauthRequest = { method: 'POST', url: new URL(server.origin), headers, body: 'a=b' };
  expect(await local(server).send(request)).toMatchObject({ status: 400, text: 'a=b' });
});

test('follows three redirects, and no more', async () => {
  shows('2026-07-28/security-best-practices/redirect-targets');
  for (const [length, outcome] of [
    [3, 'answered'],
    [4, 'refused'],
  ] as const) {
    const server = await startServer((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === length) response.end('{}');
      else response.writeHead([308, 301, 303, 307][step] ?? 302, { location: `/${step + 1}` }).end();
    });
    const sent = local(server).send(get(`${server.origin}/0`));
    if (outcome === 'answered') await expect(sent).resolves.toMatchObject({ status: 200 });
    else await expect(sent).rejects.toMatchObject({ reason: 'unreachable', answerStatus: 307 });
    expect(server.asked).toHaveLength(4);
  }
});

test('stops in a redirect loop', async () => {
  const server = await startServer((_, response) => response.writeHead(302, { location: '/' }).end());
  await expect(local(server).send(get(server.origin))).rejects.toThrow(/redirects more than 3 times/);
});

test('does not send headers of the caller to another origin', async () => {
  let seen: NodeJS.Dict<string | string[]> = {};
  const second = await startServer((request, response) => {
    seen = request.headers;
    response.end('{}');
  });
  const first = await startServer((_, response) =>
    response.writeHead(302, { location: second.origin }).end(),
  );
  const headers = { authorization: 'Basic c2VjcmV0', 'mcp-protocol-version': 'x', accept: 'application/jwt' };
  await local(first).send(get(first.origin, { headers }));
  expect(seen).toMatchObject({ accept: 'application/jwt' });
  expect(seen).not.toHaveProperty('authorization');
  expect(seen).not.toHaveProperty('mcp-protocol-version');
});

test('does not follow the redirect of a POST', async () => {
  shows('2026-07-28/security-best-practices/ssrf');
  const server = await startServer((_, response) => response.writeHead(307, { location: '/b' }).end());
  const url = new URL('/a', server.origin);
  const answer = await local(server).send({ method: 'POST', url, body: 'secret' });
  expect(answer.status).toBe(307);
  expect(server.asked).toEqual(['POST /a']);
});

test('stops reading a response of 10 MB, with or without content-length', async () => {
  shows('2026-07-28/security-best-practices/ssrf');
  for (const announced of [true, false]) {
    let written = 0;
    const server = await startServer((_, response) => {
      if (announced) response.setHeader('content-length', 10_485_760);
      const write = () => {
        if (written >= 10_485_760 || response.destroyed) return;
        written += 65_536;
        response.write('x'.repeat(65_536), () => setImmediate(write));
      };
      write();
    });
    await expect(local(server).send(get(server.origin))).rejects.toMatchObject({
      reason: 'unreachable',
      message: `${server.origin} sent a response of more than 262144 bytes.`,
    });
    expect(written).toBeLessThan(5_000_000);
  }
});

test('rejects a response with a content-length that is too large at once', async () => {
  const server = await startServer((_, response) =>
    response.setHeader('content-length', 10_485_760).write('{'),
  );
  await expect(local(server).send(get(server.origin))).rejects.toThrow(/more than 262144 bytes/);
});

test('leaves no timer behind', async () => {
  const clock = new FakeClock();
  const server = await startServer((_, response) => response.end('{}'));
  await local(server, { clock }).send(get(server.origin));
  await expect(local(server, { clock }).send(get('file:///x'))).rejects.toMatchObject({ name: 'AuthError' });
  expect(clock.waiting).toEqual([]);
});

test('reads a response up to the bound', async () => {
  const server = await startServer((_, response) => response.end('x'.repeat(100)));
  const bounded = (bytes: number) => local(server, { bytes }).send(get(server.origin));
  expect((await bounded(100)).text).toHaveLength(100);
  await expect(bounded(99)).rejects.toMatchObject({ reason: 'unreachable' });
});

test('rejects headers that are too large', async () => {
  const server = await startServer((_, response) => response.setHeader('x-long', 'x'.repeat(17_000)).end());
  await expect(local(server).send(get(server.origin))).rejects.toMatchObject({ reason: 'unreachable' });
});

test('rejects a compressed response without reading it', async () => {
  const bomb = gzipSync('{"a":1}'.padEnd(10_000_000));
  for (const encoding of ['gzip', 'br', 'identity, gzip']) {
    const server = await startServer((_, response) =>
      response.setHeader('content-encoding', encoding).end(bomb),
    );
    const sent = local(server).send(get(server.origin));
    await expect(sent).rejects.toThrow(
      `${server.origin} sent a compressed response to a request that accepts none.`,
    );
  }
});

test('rejects a slow response after the time limit, redirects included', async () => {
  const clock = new FakeClock();
  let close: (closed: string) => void = () => {};
  const closed = new Promise<string>((resolve) => {
    close = resolve;
  });
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = await startServer((request, response) => {
    if (request.url === '/') {
      clock.stall(6_000);
      response.writeHead(302, { location: '/slow' }).end();
      return;
    }
    response.on('close', () => close('closed'));
    response.write('{', begin);
  });
  const sent = local(server, { clock }).send(get(server.origin));
  const outcome = expect(sent).rejects.toMatchObject({
    reason: 'unreachable',
    message: `${server.origin} did not answer within 10000 ms.`,
  });
  await begun;
  await clock.advance(4_000);
  await outcome;
  expect(await closed).toBe('closed');
  expect(clock.waiting).toEqual([]);
});

test('rejects with the reason of the signal', async () => {
  const stop = new AbortController();
  const server = await startServer(() => stop.abort(new Error('Never mind.')));
  await expect(local(server).send(get(server.origin, { signal: stop.signal }))).rejects.toThrow(
    'Never mind.',
  );
  await expect(local(server).send(get(server.origin, { signal: stop.signal }))).rejects.toThrow(
    'Never mind.',
  );
  expect(server.asked).toHaveLength(1);
});

test('names the origin and the error code if it cannot connect, without the query', async () => {
  const gone = createServer();
  const port = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
  const http = safeHttp({ server: new URL(`http://127.0.0.1:${port}`) });
  await expect(http.send(get(`http://127.0.0.1:${port}/token?code=c0de`))).rejects.toMatchObject({
    reason: 'unreachable',
    message: `http://127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
  });
  const unknown = safeHttp({ server: new URL('https://mcp.example'), lookup: async () => [] });
  await expect(unknown.send(get('https://auth.example'))).rejects.toThrow(
    /auth.example resolves to no address/,
  );
});

test('does not quote a malformed response in the error', async () => {
  const babble = createServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nno header\r\nx: secret-token\r\n\r\n'),
  );
  const origin = `http://127.0.0.1:${await listen(babble)}`;
  const failure = await local({ origin })
    .send(get(origin))
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: 'unreachable' });
  expect(allTextsOf(failure)).not.toContain('secret-token');
  // With fetch, the error of the parser is the cause of the cause.
  const fetched = await local({ origin }, { fetch: (input, init) => fetch(input, init) })
    .send(get(origin))
    .catch((error: unknown) => error);
  expect(fetched).toMatchObject({ reason: 'unreachable' });
  expect(inspect(fetched, { depth: 9 })).not.toContain('secret-token');
});

test('rejects invalid options', () => {
  const server = new URL('https://mcp.example');
  const make = (more: object) => () => safeHttp({ server, ...more } as SafeHttpOptions);
  expect(make({ server: 'https://mcp.example' })).toThrow(TypeError);
  expect(make({ limits: {} })).toThrow(/no option "limits"/);
  expect(make({ timeout: 0 })).toThrow(RangeError);
  expect(make({ allow: ['a b'] })).toThrow(TypeError);
});
