import { gzipSync } from 'node:zlib';
import { answer, answered, events, fails, isGood, json, light, pour, status } from './http-answering.js';
import { isLightOnce } from './strain.js';
import { stateless, table } from './table.js';

const bodies: readonly (readonly [string, Record<string, string>, string | undefined])[] = [
  ['no body', {}, undefined],
  ['text', { 'content-type': 'text/plain' }, 'Go\r\naway\u0000'],
  ['a page', { 'content-type': 'text/html' }, '<h1>No</h1>'],
  ['JSON that is no message', json, '{"error":"no"}'],
  ['a megabyte', { 'content-type': 'text/plain' }, 'x'.repeat(2 ** 20)],
];

table('refusals over HTTP', [
  ...[400, 401, 402, 403, 405, 407, 410, 418, 429, 500, 502, 503, 599].flatMap((code) =>
    bodies.slice(0, code === 401 || code === 500 ? 5 : 1).map(([name, headers, body]) =>
      answered(`${code} with ${name}`, status(code, headers, body), fails(/^.{1,400}$/, code), {
        revisions: [stateless],
      }),
    ),
  ),
  answered('404 with no body', status(404), fails(/HTTP 404.*Is the path of the URL right\?/, 404), {
    revisions: [stateless],
  }),
  answered(
    '401 that names a scheme',
    status(401, { 'www-authenticate': `Bearer realm="${'x'.repeat(1_000)}"` }),
    fails(/^.{1,400}$/, 401),
  ),
  answered('429 that says for how long', status(429, { 'retry-after': '999999999' }), fails(/HTTP 429/, 429)),
  answered(
    '400 with an error of JSON-RPC',
    (posted) =>
      status(
        400,
        json,
        JSON.stringify({ jsonrpc: '2.0', id: posted.message.id, error: { code: -32602, message: 'No' } }),
      )(posted),
    { error: 'RemoteError', why: -32602, text: /^No$/ },
  ),
  answered(
    '400 with an error for another call',
    status(400, json, JSON.stringify({ jsonrpc: '2.0', id: 999, error: { code: -32602, message: 'No' } })),
    fails(/HTTP 400/, 400),
  ),
  answered(
    '401 with an error of JSON-RPC',
    status(401, json, '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}'),
    fails(/requires authorization/, 401),
  ),
  answered(
    '1xx and nothing more',
    ({ response }) => response.writeProcessing(),
    { error: 'SessionError', why: 'timeout', text: /not answered/ },
    { waits: 60_000 },
  ),
]);

table('answers over HTTP that are none', [
  answered('202 with nothing', status(202), fails(/HTTP 202 and no content/)),
  answered('204', status(204), fails(/HTTP 204 and no content/)),
  answered('202 with a result', (posted) => status(202, json, answer(posted))(posted), fails(/HTTP 202/)),
  answered(
    '206 with half a result',
    (posted) => status(206, json, answer(posted).slice(0, 20))(posted),
    fails(/not JSON/),
  ),
  answered(
    'a page',
    status(200, { 'content-type': 'text/html' }, '<html>'),
    fails(/content type "text\/html".*Is this the URL of an MCP server/),
  ),
  answered(
    'no content type',
    (posted) => status(200, {}, answer(posted))(posted),
    fails(/JSON or an event stream was expected/),
  ),
  answered(
    'JSON that calls itself text',
    (posted) => status(200, { 'content-type': 'text/plain' }, answer(posted))(posted),
    fails(/content type/),
  ),
  answered(
    'a content type of a megabyte',
    status(200, { 'content-type': 'x'.repeat(10_000) }),
    fails(/^.{1,400}$/),
  ),
  answered(
    'a content type with parameters',
    (posted) => status(200, { 'content-type': 'Application/JSON; charset=utf-8' }, answer(posted))(posted),
    isGood,
  ),
  answered('an empty body', status(200, json), fails(/it is empty/)),
  answered(
    'half of one',
    (posted) => status(200, json, answer(posted).slice(0, -3))(posted),
    fails(/not JSON/),
  ),
  answered('what is no UTF-8', status(200, json, Buffer.from([0x22, 0xff, 0x22])), fails(/not UTF-8/)),
  answered('100,000 levels', status(200, json, '['.repeat(1e5) + ']'.repeat(1e5)), fails(/512 levels/)),
  answered(
    'a list of answers',
    (posted) => status(200, json, `[${answer(posted)}]`)(posted),
    fails(/answer/),
  ),
  answered(
    'one to another call',
    status(200, json, '{"jsonrpc":"2.0","id":999,"result":{}}'),
    fails(/answers another request/),
  ),
  answered(
    'a request',
    status(200, json, '{"jsonrpc":"2.0","id":1,"method":"ping"}'),
    fails(/answers another request/),
  ),
  answered(
    'a length that is never reached',
    (posted) => {
      posted.response.writeHead(200, { ...json, 'content-length': '1000' });
      posted.response.write(answer(posted), () => posted.response.socket?.destroy());
    },
    fails(/The request to http:\/\/127\.0\.0\.1/),
  ),
  answered(
    'a reset',
    ({ response }) => response.socket?.resetAndDestroy(),
    fails(/The request to http:\/\/127\.0\.0\.1/),
  ),
  answered(
    'what is no HTTP',
    ({ response }) => response.socket?.end('SSH-2.0-OpenSSH\r\n\r\n'),
    fails(/The request to/),
  ),
  answered(
    'headers without end',
    async ({ response: { socket } }) => {
      socket?.write('HTTP/1.1 200 OK\r\n');
      for (let count = 0; count < 100 && socket?.writable; count++)
        socket.write(`x-${count}: ${'x'.repeat(1_000)}\r\n`);
    },
    fails(/The request to/),
  ),
  answered(
    'one header without end',
    ({ response: { socket } }) => socket?.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`),
    fails(/The request to/),
  ),
  answered(
    'the same header 5,000 times',
    ({ response: { socket } }) => socket?.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(5_000)}\r\n`),
    fails(/./),
  ),
]);

const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, 0x20));

table('bombs over HTTP', [
  answered(
    '64 MB in gzip',
    status(200, { ...json, 'content-encoding': 'gzip' }, bomb),
    fails(/compressed its answer \(gzip\)/),
    {
      act: async (stage) => {
        const call = stage.client.callTool('bad');
        await isLightOnce(() => call);
        return call;
      },
    },
  ),
  ...['br', 'deflate', 'zstd', 'gzip, gzip'].map((encoding) =>
    answered(
      `something in ${encoding}`,
      status(200, { ...json, 'content-encoding': encoding }, bomb.subarray(0, 100)),
      fails(/compressed its answer/),
    ),
  ),
  answered(
    'an event stream in gzip',
    status(200, { ...events, 'content-encoding': 'gzip' }, bomb),
    fails(/compressed its answer/),
  ),
  answered('64 MB of blanks', (posted) => pour(posted, json, ' '), fails(/limit maxAnswerBytes/), {
    act: light,
  }),
]);
