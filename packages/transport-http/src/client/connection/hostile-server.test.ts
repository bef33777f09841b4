import { Buffer } from 'node:buffer';
import { otherBounds } from '@tenon/foundation';
import { RemoteError, TransportError } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { rig } from '../../../test/client-rig.js';
import { type HttpCall, ScriptedHttp } from '../../../test/client-scripted-server.js';

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const deep = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const stateless = { revision: revision20260728 };

async function failureOf(
  answer: (call: HttpCall) => void,
  limits = {},
): Promise<Error & { status?: number }> {
  const { ask } = await rig(answer, { ...stateless, limits });
  const failure: unknown = await ask(1).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Error);
  return failure as Error;
}

describe('a request to a hostile server', () => {
  it.each<[string, (call: HttpCall) => void, string, ...string[]]>([
    [
      'with a page',
      (call) => call.raw(200, { 'content-type': 'text/html' }, '<p>'),
      'the content type "text/html"',
    ],
    ['with nothing', (call) => call.raw(202), 'HTTP 202 and no content'],
    ['with no content', (call) => call.raw(204), 'HTTP 204 and no content'],
    ['with an empty body', (call) => call.raw(200, json), 'cannot be used: it is empty'],
    ['with invalid JSON', (call) => call.raw(200, json, '{"a":'), 'cannot be used: it is not JSON'],
    [
      'with invalid UTF-8',
      (call) => call.raw(200, json, Buffer.from([0x22, 0xff, 0x22])),
      'it is not UTF-8',
      '2026-07-28/basic/transports/index/utf-8',
    ],
    [
      'with thousands of nesting levels',
      (call) => call.raw(200, json, deep),
      'nested in more than 512 levels',
    ],
    [
      'under another id',
      (call) => call.json({ jsonrpc: '2.0', id: 2, result: {} }),
      'it answers another request, one that was answered before, or none',
    ],
    [
      'compressed',
      (call) => call.raw(200, { ...json, 'content-encoding': 'gzip' }, 'x'),
      'compressed its answer (gzip)',
    ],
    [
      'with too much',
      (call) => call.raw(200, json, 'x'.repeat(2000)),
      'longer than 1000 bytes (limit maxAnswerBytes)',
    ],
    [
      'with an event that has no end',
      (call) => call.raw(200, events, 'data: {"id":1'),
      'ended the stream before',
    ],
    [
      'with a huge event all at once',
      (call) => call.raw(200, events, `data: "${'x'.repeat(3000)}"\n\n`),
      'limit maxEventChars',
    ],
    [
      'with a huge event that does not end',
      (call) => call.raw(200, events, `data: ${'x'.repeat(3000)}`),
      'limit maxEventChars',
    ],
    [
      'with a huge event of many lines',
      (call) => call.raw(200, events, 'data: 12345678\n'.repeat(400)),
      'limit maxEventChars',
    ],
    [
      'with events that are not UTF-8',
      (call) => call.raw(200, events, Buffer.from([0x64, 0xff])),
      'not UTF-8',
    ],
    ['with a stream that does not end', (call) => endless(call), 'limit maxStreamBytes'],
    ['by a reset', (call) => call.reset(), 'The request to http://127.0.0.1'],
    ['by a reset in the middle', (call) => breaking(call), 'The request to http://127.0.0.1'],
    ['with a redirect without a target', (call) => call.raw(307), 'does not keep a message whole'],
    [
      'with a redirect to a GET',
      (call) => call.raw(303, { location: '/x' }),
      'does not keep a message whole',
    ],
    [
      'with a redirect to an invalid URL',
      (call) => call.raw(307, { location: 'http://[' }),
      'to an invalid URL',
    ],
    [
      'with redirects without end',
      (call) => call.raw(308, { location: `${call.path}x` }),
      'more than 5 times',
    ],
  ])('fails with a clear error when the server answers %s', async (...[, answer, message, ...ids]) => {
    shows(...ids);
    const limits = { maxAnswerBytes: 1000, ...otherBounds({ maxEventChars: 2500, maxStreamBytes: 100_000 }) };
    const failure = await failureOf(answer, message.includes('512') ? {} : limits);
    expect(failure).toBeInstanceOf(TransportError);
    expect(failure.message).toContain(message);
  });

  it.each([
    ['another origin', 'https://other.example/take?token=secret', 'https://other.example'],
    ['another port', 'http://127.0.0.1:1/mcp', 'http://127.0.0.1:1'],
    ['no web address', 'file:///etc/passwd', 'file:'],
  ])('does not follow a redirect to %s, and names the target in the error', async (_, location, reported) => {
    const failure = await failureOf((call) => call.raw(307, { location }));
    expect(failure.message).toContain(reported);
    expect(failure.message).not.toContain('secret');
  });

  function endless(call: HttpCall): void {
    call.events();
    const more = () => {
      while (!call.response.destroyed && call.response.write(`: ${'x'.repeat(1000)}\n`));
    };
    call.response.on('drain', more);
    more();
  }

  function breaking(call: HttpCall): void {
    call.response.writeHead(200, { ...json, 'content-length': '1000' });
    call.response.write('{"jsonrpc":', () => call.reset());
  }
});

describe('an invalid event', () => {
  it.each([
    ['is not JSON', 'hello', 'The event is not JSON.'],
    ['nests thousands deep', deep, 'nested in more than 512 levels'],
  ])('reports the problem and continues the stream: the event %s', async (_, data, problem) => {
    const { ask, receiver } = await rig((call) => {
      call.events();
      call.event(data);
      call.event({ jsonrpc: '2.0', id: 1, result: {} });
      call.end();
    }, stateless);
    await ask(1);
    expect(receiver.problems).toEqual([expect.stringContaining(problem)]);
    expect(receiver.values).toHaveLength(1);
  });
});

describe('an error response', () => {
  it('fails the request with the JSON-RPC error of the body, with the status in its cause', async () => {
    for (const id of [1, null, undefined]) {
      const failure = await failureOf((call) =>
        call.json({ jsonrpc: '2.0', id, error: { code: -32020, message: 'Mismatch', data: { a: 1 } } }, 400),
      );
      expect(failure).toBeInstanceOf(RemoteError);
      expect(failure).toMatchObject({
        code: -32020,
        message: 'Mismatch',
        data: { a: 1 },
        cause: { status: 400 },
      });
    }
  });

  it.each<[string, (call: HttpCall) => void, number, string]>([
    [
      'an error for another request',
      (call) => call.json({ jsonrpc: '2.0', id: 9, error: { code: 1, message: 'x' } }, 400),
      400,
      'answered HTTP 400',
    ],
    [
      'text',
      (call) => call.raw(500, { 'content-type': 'text/plain' }, 'It\r\nbroke'),
      500,
      'HTTP 500: It broke',
    ],
    [
      'a page',
      (call) => call.raw(404, { 'content-type': 'text/html' }, '<b>No</b>'),
      404,
      'answered HTTP 404.',
    ],
    ['endless text', (call) => call.raw(500, {}, 'x'.repeat(100_000)), 500, 'answered HTTP 500.'],
    ['long text', (call) => call.raw(500, {}, 'x'.repeat(1000)), 500, `${'x'.repeat(200)}`],
    [
      'text that repeats what it was shown',
      (call) => call.raw(500, {}, `You sent "Authorization: Bearer ${'s3cr3t'.repeat(100)}", didn't you?`),
      500,
      'answered HTTP 500: You sent "Authorization: [redacted]", didn\'t you?',
    ],
    [
      'a request guard, whatever it says',
      (call) => call.json({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'token expired' } }, 401),
      401,
      'requires authorization (HTTP 401): set the option auth, or send a token in headers: token expired.',
    ],
    [
      'a rejection with a reason',
      (call) => call.json({ jsonrpc: '2.0', error: { code: 1, message: 'The Host is not accepted' } }, 403),
      403,
      ' rejected the request (HTTP 403): The Host is not accepted.',
    ],
    [
      'a rejection without a reason',
      (call) => call.raw(403),
      403,
      ' rejected the request (HTTP 403). The caller may lack a permission.',
    ],
  ])('fails the request with the status when the body is %s', async (...[, answer, status, message]) => {
    const failure = await failureOf(answer);
    expect(failure).toBeInstanceOf(TransportError);
    expect(failure.status).toBe(status);
    expect(failure.message).toContain(message);
    expect(failure.message.length).toBeLessThan(400);
  });

  it('fails a notification, whatever the body', async () => {
    const { tell } = await rig((call) =>
      call.json({ jsonrpc: '2.0', error: { code: 1, message: 'No' } }, 400),
    );
    await expect(tell('notifications/x')).rejects.toMatchObject({ name: 'TransportError', status: 400 });
  });
});

describe('a redirect within the origin', () => {
  it('is followed up to the limit of redirects for one request', async () => {
    const { server, ask } = await rig((call) => call.raw(308, { location: `${call.path}x` }), {
      ...stateless,
      limits: otherBounds({ maxRedirects: 2 }),
    });
    await expect(ask(1)).rejects.toThrow('more than 2 times');
    expect(server.calls.map((call) => call.path)).toEqual(['/mcp', '/mcpx', '/mcpxx']);
  });

  it.each([301, 302, 307, 308])(
    'keeps method and body, and applies to later requests: HTTP %i',
    async (status) => {
      const { server, ask, receiver } = await rig(
        (call) => (call.path === '/mcp' ? call.raw(status, { location: '/new?x=1' }) : call.result()),
        { ...stateless, headers: { authorization: 'a' } },
      );
      await ask(1);
      await ask(2);
      expect(server.calls.map((call) => `${call.method} ${call.path}`)).toEqual([
        'POST /mcp',
        'POST /new?x=1',
        'POST /new?x=1',
      ]);
      expect(server.calls[1]?.message.id).toBe(1);
      expect(server.calls[1]?.headers.authorization).toBe('a');
      expect(receiver.values).toHaveLength(2);
    },
  );
});

it('names the origin when the connection is refused', async () => {
  const server = await ScriptedHttp.start(() => {});
  const { origin, url } = server;
  await server.close();
  const { openHttp } = await import('../../client.js');
  const connection = await openHttp(url)();
  const failure = await connection.send('{}', { id: 1 }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    message: `The request to ${origin} failed: nothing listens there (ECONNREFUSED).`,
  });
  await connection.close();
});

it('reads a flood of server requests no faster than answers are sent', async () => {
  let asked = 0;
  const held: HttpCall[] = [];
  const { server, ask, receiver } = await rig(
    (call) => {
      if (call.message.method === undefined) return held.push(call);
      call.events();
      const pump = () => {
        while (call.response.write(`data: {"jsonrpc":"2.0","id":"q${++asked}","method":"ping"}\n\n`));
      };
      call.response.on('drain', pump);
      return pump();
    },
    { limits: otherBounds({ maxAnswersLeaving: 4, closeWaitMs: 20 }) },
  );
  receiver.reply = (value) => {
    const { id } = value as { id: string };
    return `{"jsonrpc":"2.0","id":"${id}","result":{}}`;
  };
  void ask(1).catch(() => undefined);
  await server.call('POST', 5);
  const before = receiver.values.length;
  // Turns of the event loop in which the rest would arrive.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(receiver.values.length).toBe(before);
  expect(held).toHaveLength(4);
  for (let number = 0; receiver.values.length === before; number++) {
    (await server.call('POST', number + 2)).raw(202);
  }
});
