import { expect, test } from 'vitest';
import { documentOf, serve, startApi } from '../../test/api.js';

const string = { type: 'string' };
const integer = { type: 'integer' };

function post(requestBody: object, parameters: readonly object[] = []): object {
  return documentOf({ '/pets': { post: { operationId: 'add', requestBody, parameters, responses: {} } } });
}

test('sends parameters of all places', async () => {
  const api = await startApi();
  const parameter = (place: string, name: string, more: object = {}) => ({
    in: place,
    name,
    schema: string,
    ...more,
  });
  const get = {
    operationId: 'get',
    responses: {},
    parameters: [
      parameter('path', 'id', { required: true, style: 'matrix' }),
      parameter('query', 'tags', { schema: { type: 'array', items: string }, explode: false }),
      parameter('query', 'filter', { schema: { type: 'object' }, style: 'deepObject', explode: true }),
      parameter('query', 'where', {
        schema: undefined,
        content: { 'application/json': { schema: { type: 'object' } } },
      }),
      parameter('header', 'X-Trace'),
      parameter('header', 'Authorization'),
      parameter('cookie', 'lang'),
      parameter('query', 'id'),
    ],
  };
  const { call, list } = await serve(documentOf({ '/a/{id}/b': { get } }), { baseUrl: api.url });
  const [tool] = await list();
  expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([
    'id',
    'tags',
    'filter',
    'where',
    'X-Trace',
    'lang',
    'id_2',
  ]);
  await call('get', {
    id: '5',
    tags: ['a', 'b'],
    filter: { x: 1 },
    where: { a: ['\u00e9'] },
    'X-Trace': 't 1',
    lang: 'de',
    id_2: '6',
  });
  expect(api.received).toMatchObject([
    {
      url: '/a/;id=5/b?tags=a,b&filter%5Bx%5D=1&where=%7B%22a%22%3A%5B%22%C3%A9%22%5D%7D&id=6',
      headers: { 'x-trace': 't 1', cookie: 'lang=de' },
    },
  ]);
});

test('sends a query string of 3.2, and cookies of the style cookie', async () => {
  const api = await startApi();
  const content = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };
  const get = {
    operationId: 'get',
    responses: {},
    parameters: [
      { in: 'querystring', name: 'all', content },
      { in: 'cookie', name: 'a', style: 'cookie', schema: { type: 'array', items: string } },
    ],
  };
  const { call } = await serve({ ...documentOf({ '/a': { get } }), openapi: '3.2.0' }, { baseUrl: api.url });
  await call('get', { all: { x: 'y z', n: 1 }, a: ['b', 'c/d'] });
  expect(api.received).toMatchObject([{ url: '/a?x=y%20z&n=1', headers: { cookie: 'a=b; a=c/d' } }]);
  expect(await call('get', { a: ['x; admin=1'] })).toBe(
    'error: a has a character that a cookie cannot have.',
  );
});

test.each(['.', '..', '%2e%2E', ''])(
  'rejects the part of a path %j, which would lead to another path',
  async (id) => {
    const api = await startApi();
    const parameters = [{ in: 'path', name: 'id', required: true, schema: string, allowReserved: true }];
    const { call } = await serve(
      documentOf({ '/a/{id}': { delete: { operationId: 'drop', parameters, responses: {} } } }),
      { baseUrl: api.url },
    );
    expect(await call('drop', { id })).toMatch(
      /^error: (?:id must not be empty|An argument would lead to another path)/,
    );
    expect(api.received).toEqual([]);
  },
);

test('rejects a header that would be two', async () => {
  const api = await startApi();
  const parameters = [{ in: 'header', name: 'X-Own', schema: string }];
  const { call } = await serve(
    documentOf({ '/a': { get: { operationId: 'get', parameters, responses: {} } } }),
    { baseUrl: api.url },
  );
  expect(await call('get', { 'X-Own': 'a\r\nX-Admin: 1' })).toBe(
    'error: X-Own has a character that a header cannot have.',
  );
  expect(api.received).toEqual([]);
});

test('has the fields of a JSON body beside the parameters', async () => {
  const api = await startApi();
  const schema = {
    type: 'object',
    properties: { name: string, age: integer, id: { ...integer, readOnly: true } },
    required: ['name', 'id'],
  };
  const body = { required: true, content: { 'application/json': { schema } } };
  const { call, list } = await serve(
    post(body, [{ in: 'query', name: 'dry', schema: { type: 'boolean' } }]),
    { baseUrl: api.url },
  );
  expect((await list())[0]?.inputSchema).toMatchObject({
    properties: { dry: { type: 'boolean' }, name: string, age: integer },
    required: ['name'],
  });
  await call('add', { dry: true, name: 'Rex', age: 3 });
  const [one] = api.received;
  expect(one).toMatchObject({
    method: 'POST',
    url: '/pets?dry=true',
    headers: { 'content-type': 'application/json' },
  });
  expect(JSON.parse(String(one?.body))).toEqual({ name: 'Rex', age: 3 });
});

test.each([
  ['a field has the name of a parameter', { type: 'object', properties: { dry: string } }, { dry: 'x' }],
  ['it is not an object', { type: 'array', items: string }, ['x']],
  ['it has alternatives', { oneOf: [{ type: 'object', properties: { a: string } }, string] }, 'x'],
  ['it is a map', { type: 'object', properties: { a: string }, additionalProperties: string }, { b: 'x' }],
])('has the body as one argument where %s', async (_, schema, value) => {
  const api = await startApi();
  const body = { required: true, content: { 'application/json': { schema } } };
  const parameters = [{ in: 'query', name: 'dry', schema: string }];
  const { call, list } = await serve(post(body, parameters), { baseUrl: api.url });
  const { inputSchema } = (await list())[0] ?? {};
  expect(Object.keys(inputSchema?.properties ?? {})).toEqual(['dry', 'body']);
  expect(inputSchema?.required).toEqual(['body']);
  await call('add', { dry: 'no', body: value });
  expect(JSON.parse(String(api.received[0]?.body))).toEqual(value);
});

test('leaves out an optional body without fields', async () => {
  const api = await startApi();
  const schema = { type: 'object', properties: { a: string } };
  const { call } = await serve(post({ content: { 'application/json': { schema } } }), { baseUrl: api.url });
  await call('add');
  expect(api.received[0]?.body.length).toBe(0);
  expect(api.received[0]?.headers).not.toHaveProperty('content-type');
});

test('sends forms with the encodings of their fields', async () => {
  const api = await startApi();
  const schema = {
    type: 'object',
    properties: {
      name: string,
      tags: { type: 'array', items: string },
      meta: { type: 'object' },
      deep: { type: 'object' },
    },
  };
  const encoding = { deep: { style: 'deepObject', explode: true } };
  const body = { content: { 'application/x-www-form-urlencoded': { schema, encoding } } };
  const { call } = await serve(post(body), { baseUrl: api.url });
  await call('add', { name: 'a&b', tags: ['x', 'y'], meta: { a: 1 }, deep: { a: { b: 'c' } } });
  expect(String(api.received[0]?.body)).toBe(
    'name=a%26b&tags=x&tags=y&meta=%7B%22a%22%3A1%7D&deep%5Ba%5D%5Bb%5D=c',
  );
});

test('uploads files with multipart, as text and in base64', async () => {
  const api = await startApi();
  const binary = { type: 'string', format: 'binary' };
  const schema = {
    type: 'object',
    properties: {
      title: string,
      meta: { type: 'object' },
      photo: { ...binary, description: 'A photo' },
      more: { type: 'array', items: binary },
    },
  };
  const body = { required: true, content: { 'multipart/form-data': { schema } } };
  const { call, list } = await serve(post(body), { baseUrl: api.url });
  expect((await list())[0]?.inputSchema.properties).toMatchObject({
    photo: { type: 'object', properties: { text: string, base64: string, name: string, mediaType: string } },
    more: { type: 'array', items: { type: 'object' } },
  });
  const photo = { base64: 'AP8=', name: 'a"\r\nx.png', mediaType: 'image/png' };
  await call('add', {
    title: 'T',
    meta: { a: 1 },
    photo,
    more: [{ text: 'one' }, { text: 'two', name: 'b.txt' }],
  });
  const [one] = api.received;
  const form = await new Response(new Uint8Array(one?.body ?? []), {
    headers: { 'content-type': String(one?.headers['content-type']) },
  }).formData();
  expect(form.get('title')).toBe('T');
  expect(form.get('meta')).toBe('{"a":1}');
  const sent = form.get('photo') as File;
  expect([sent.name, sent.type, [...new Uint8Array(await sent.arrayBuffer())]]).toEqual([
    'a"\r\nx.png',
    'image/png',
    [0, 255],
  ]);
  expect(await Promise.all(form.getAll('more').map((file) => (file as File).text()))).toEqual(['one', 'two']);
  expect(await call('add', { photo: { base64: '???' } })).toBe('error: The file photo is not valid base64.');
});

test('sends a file or a text as the whole body', async () => {
  const api = await startApi();
  const file = await serve(post({ content: { 'image/png': {} } }), { baseUrl: api.url });
  await file.call('add', { body: { base64: 'AP8=' } });
  const text = await serve(post({ content: { 'text/csv': { schema: string } } }), { baseUrl: api.url });
  await text.call('add', { body: 'a,b' });
  expect(api.received.map(({ headers, body }) => [headers['content-type'], [...body].join()])).toEqual([
    ['image/png', '0,255'],
    ['text/csv', '97,44,98'],
  ]);
});

test('sends the query of a path, and not its fragment', async () => {
  const api = await startApi();
  const get = { responses: {}, parameters: [{ in: 'query', name: 'q', schema: string }] };
  const document = documentOf({ '/a?beta=true': { get }, '/a#other': { get } });
  const { call } = await serve(document, { baseUrl: api.url });
  await call('get_a_beta_true', { q: 'x' });
  await call('get_a_other', { q: 'y' });
  expect(api.received.map(({ url }) => url)).toEqual(['/a?beta=true&q=x', '/a?q=y']);
});
