import { expect, test } from 'vitest';
import { type Answer, documentOf, serve, startApi } from '../../test/api.js';
import type { OpenApiOptions } from '../index.js';

const string = { type: 'string' };
const items = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object' } } },
  required: ['items'],
};

async function answered(answer: Answer, { schema, ...options }: OpenApiOptions & { schema?: object } = {}) {
  const api = await startApi();
  api.answer = answer;
  const responses =
    schema === undefined ? {} : { 200: { description: '', content: { 'application/json': { schema } } } };
  const parameters = [{ in: 'query', name: 'page', schema: { type: 'integer' } }];
  const operation = { parameters, responses };
  const paths = {
    '/a': { get: { operationId: 'get', ...operation }, post: { operationId: 'add', ...operation } },
  };
  return serve(documentOf(paths), { baseUrl: api.url, ...options });
}

test.each([
  [400, {}, 'Correct the arguments before you call again.'],
  [
    401,
    {},
    'The credentials for this API are missing or no longer valid. Tell the user; the same call fails again.',
  ],
  [404, {}, 'There is nothing with these arguments: check ids and names.'],
  [429, { 'retry-after': '30' }, 'Too many requests: wait before you call again. Wait 30 seconds.'],
  [503, {}, 'The API failed; the arguments may be right. Call again later.'],
])('says what to do after HTTP %i', async (status, headers, advice) => {
  const { call } = await answered({ status, headers, body: { message: 'No\u001b[2J pet' } });
  const said = 'The API said: {"message":"No\\u001b[2J pet"}';
  expect(await call('get')).toBe(`error: GET /a was answered with HTTP ${status}.\n${said}\n${advice}`);
});

test('says after a failed write that the write may have happened', async () => {
  const { call } = await answered({
    status: 502,
    body: '<html>Bad gateway</html>',
    headers: { 'content-type': 'text/html' },
  });
  expect(await call('add')).toBe(
    'error: POST /a was answered with HTTP 502.\nIt said nothing more.\nThe API failed; the arguments may be right. Find out first whether the request was carried out: it may be.',
  );
});

test('does not follow a redirect of a write', async () => {
  const { call } = await answered({ status: 307, headers: { location: '/b' }, body: '' });
  expect(await call('add')).toContain('The API sent the request to another address, which is not followed.');
});

test('says that an API cannot be reached', async () => {
  const { call } = await answered(
    {},
    { fetch: () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })) },
  );
  expect(await call('add')).toMatch(
    /^error: http:\S+ cannot be reached \(ECONNREFUSED\)\. Find out first whether/,
  );
});

test('shortens the lists and texts of a large answer, and keeps its shape', async () => {
  const body = { items: Array.from({ length: 500 }, (_, id) => ({ id, text: 'x'.repeat(20) })) };
  const { client } = await answered({ body }, { schema: items, resultCharacters: 2_000 });
  const { content, structuredContent } = await client.callTool('get');
  const [text, note] = content as readonly { text: string }[];
  expect(JSON.parse(text?.text ?? '')).toEqual(structuredContent);
  expect((structuredContent as typeof body).items).toEqual(body.items.slice(0, 25));
  expect(text?.text.length).toBeLessThan(2_000);
  expect(note?.text).toMatch(
    /^The answer had \d+ characters\. Missing: 475 of 500 items of items\. Ask for less/,
  );
});

test('cuts an answer that no shorter list makes small enough', async () => {
  const body = Object.fromEntries(Array.from({ length: 500 }, (_, id) => [`member${id}`, id]));
  const plain = await answered({ body }, { resultCharacters: 1_000 });
  const { content, isError } = await plain.client.callTool('get');
  expect((content as readonly { text: string }[])[0]?.text).toHaveLength(1_000);
  expect((content as readonly { text: string }[])[1]?.text).toContain('was cut after 1000 of');
  expect(isError).toBe(false);
  const structured = await answered({ body }, { schema: { type: 'object' }, resultCharacters: 1_000 });
  expect((await structured.client.callTool('get')).isError).toBe(true);
});

test('names the arguments of the next page', async () => {
  const link = '<https://pets.example/a?page=1>; rel="prev", </a?page=3&token=x>; rel="next"';
  const { call } = await answered({ body: [1], headers: { link } });
  expect(await call('get', { page: 2 })).toBe('[1]\nThere is another page: call again with page: "3".');
});

test('says where an answer is not as the document says', async () => {
  const { call } = await answered({ body: { items: 'none' } }, { schema: items });
  expect(await call('add')).toMatch(
    /^error: POST \/a was answered with HTTP 200\. The answer is not as the document of the API says \(items: .*\)\. The request was carried out: do not repeat it\.\n\{"items":"none"\}$/,
  );
});

test('accepts new members and new values in an answer', async () => {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['gone'],
    properties: { kind: { ...string, enum: ['a'], maxLength: 1 }, one: { oneOf: [{}, {}] } },
  };
  const { client } = await answered({ body: { kind: 'new', one: 1, more: true } }, { schema });
  expect((await client.callTool('get')).structuredContent).toEqual({ kind: 'new', one: 1, more: true });
});

test('returns images, files and texts', async () => {
  const bytes = Uint8Array.of(0, 255);
  const image = await answered({ body: bytes, headers: { 'content-type': 'image/png' } });
  expect((await image.client.callTool('get')).content).toEqual([
    { type: 'image', data: 'AP8=', mimeType: 'image/png' },
  ]);
  const file = await answered({ body: bytes, headers: { 'content-type': 'application/pdf' } });
  expect((await file.client.callTool('get')).content).toMatchObject([
    { text: 'The answer is a file of 2 bytes of the type application/pdf.' },
    { type: 'resource', resource: { mimeType: 'application/pdf', blob: 'AP8=' } },
  ]);
  const text = await answered({ body: 'a,b' });
  expect(await text.call('get')).toBe('a,b');
  const empty = await answered({ status: 204 });
  expect(await empty.call('add')).toBe('POST /a was answered with HTTP 204. The response has no content.');
});

test('keeps the digits of large numbers', async () => {
  const body = '{"id": 12345678901234567890}';
  const { call } = await answered({ body, headers: { 'content-type': 'application/json' } });
  expect(await call('get')).toBe(body);
});
