import { createServer } from '@tenon/mcp-server';
import { defineExtension } from '@tenon/mcp-server/extension';
import { expect, test } from 'vitest';
import { documentOf, serve, startApi } from '../test/api.js';
import { fromOpenApi } from './index.js';

const string = { type: 'string' };
const json = (schema: object) => ({ 'application/json': { schema } });
const pet = { type: 'object', properties: { id: { type: 'integer' }, name: string }, required: ['id'] };
const withPet = {
  '/pets/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: {
      operationId: 'getPet',
      summary: 'Get a pet',
      responses: { 200: { description: '', content: json(pet) } },
    },
  },
};

test('makes a tool of an operation, with a typed input and output', async () => {
  const api = await startApi();
  api.answer = { body: { id: 7, name: 'Rex' } };
  const { client, list } = await serve(documentOf(withPet), { baseUrl: `${api.url}/v1/` });
  const [tool] = await list();
  expect(tool).toMatchObject({
    name: 'getPet',
    title: 'Get a pet',
    description: 'Get a pet.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: pet.properties },
    annotations: { readOnlyHint: true },
  });
  const result = await client.callTool('getPet', { id: 7 });
  expect(result.structuredContent).toEqual({ id: 7, name: 'Rex' });
  expect(api.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/pets/7']);
  expect(api.received[0]?.headers.accept).toBe('application/json');
});

test('can be registered by an extension', () => {
  const tools = fromOpenApi(documentOf(withPet), { baseUrl: 'https://pets.example' });
  const extension = defineExtension({
    id: 'com.example/pets',
    register: (entries) => tools.register(entries),
  });
  const server = createServer({ name: 'pets', version: '1.0.0' }, { extensions: [extension] });
  expect(() => tools.register(server)).toThrow('There is already a tool named "getPet"');
});

test('reads documents in YAML', () => {
  const yaml = `
openapi: 3.2.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    query: { summary: Find pets, responses: {} }
    additionalOperations:
      COPY: { responses: {} }
`;
  const { tools, title } = fromOpenApi(yaml, { baseUrl: 'https://pets.example' });
  expect(title).toBe('Pets');
  expect(tools.map(({ name, options }) => [name, options.annotations?.readOnlyHint])).toEqual([
    ['query_pets', true],
    ['copy_pets', false],
  ]);
});

test.each([
  [{ swagger: '2.0' }, 'this is a document of Swagger 2.0'],
  [{ openapi: '4.0.0' }, 'the member "openapi" must be 3.0, 3.1 or 3.2 with a patch number, and is "4.0.0"'],
  [{}, 'and is not there'],
  ['{"openapi": ', 'the document is neither JSON nor YAML'],
  ['a text', 'the document must be an object'],
])('rejects %j, which is not a document', (document, message) => {
  expect(() => fromOpenApi(document as object, { baseUrl: 'https://pets.example' })).toThrow(message);
});

test('needs consent to the servers of a document', () => {
  const servers = [
    { url: 'https://{region}.pets.example/v2', variables: { region: { default: 'eu' } } },
    { url: 'https://test.pets.example' },
  ];
  const document = documentOf(withPet, { servers });
  expect(() => fromOpenApi(document)).toThrow(
    'give baseUrl, the URL of the API. The document names https://eu.pets.example/v2, https://test.pets.example. To trust the servers of the document, give documentServers: true.',
  );
  expect(() => fromOpenApi(documentOf(withPet))).toThrow('The document names no server.');
  expect(() => fromOpenApi(document, { baseUrl: 'https://user@pets.example' })).toThrow('baseUrl must be');
});

test('sends requests to the servers of a document with documentServers', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json({ id: 1 });
  };
  const document = documentOf(withPet, { servers: [{ url: 'https://pets.example/v2/' }] });
  const { call } = await serve(document, { documentServers: true, fetch });
  await call('getPet', { id: 1 });
  expect(asked).toEqual(['https://pets.example/v2/pets/1']);
});

test('skips an operation with a server of its own unless documentServers allows it', () => {
  const files = {
    post: { operationId: 'upload', responses: {}, servers: [{ url: 'https://files.example' }] },
  };
  const document = documentOf(
    { ...withPet, '/files': files },
    { servers: [{ url: 'https://pets.example' }] },
  );
  const { tools, skipped } = fromOpenApi(document, { baseUrl: 'https://pets.example' });
  expect(tools.map(({ name }) => name)).toEqual(['getPet']);
  const reason = 'it is at a server of its own, "https://files.example": documentServers would allow it';
  expect(skipped).toEqual([{ method: 'POST', path: '/files', reason }]);
  const all = fromOpenApi(document, { baseUrl: 'https://pets.example', documentServers: true });
  expect(all.skipped).toEqual([]);
});

test('chooses operations by tag, path, method, operationId, and by a function', () => {
  const operation = (operationId: string, tag: string) => ({ operationId, tags: [tag], responses: {} });
  const document = documentOf({
    '/pets': { get: operation('listPets', 'pets'), post: operation('addPet', 'pets') },
    '/shops/{id}/pets': {
      parameters: [{ name: 'id', in: 'path', schema: string }],
      get: operation('inShop', 'shops'),
    },
    '/old': { get: { ...operation('old', 'pets'), deprecated: true } },
  });
  const namesOf = (options: object) =>
    fromOpenApi(document, { baseUrl: 'https://pets.example', ...options }).tools.map(({ name }) => name);
  expect(namesOf({})).toEqual(['listPets', 'addPet', 'inShop']);
  expect(namesOf({ deprecated: true })).toContain('old');
  expect(namesOf({ include: { tags: ['shops'] } })).toEqual(['inShop']);
  expect(namesOf({ include: { tags: ['pets'], methods: ['get'] } })).toEqual(['listPets']);
  expect(namesOf({ include: { paths: ['/shops/*'] } })).toEqual(['inShop']);
  expect(namesOf({ include: { paths: ['/pets'] } })).toEqual(['listPets', 'addPet']);
  expect(namesOf({ include: { operationIds: ['addPet', 'inShop'] } })).toEqual(['addPet', 'inShop']);
  expect(namesOf({ include: ({ method }: { method: string }) => method === 'POST' })).toEqual(['addPet']);
  expect(() => namesOf({ include: { tag: ['pets'] } })).toThrow('there is no option "tag"');
});

test('makes names that clients accept and that differ', () => {
  const get = (operationId?: string) => ({ get: { operationId, responses: {} } });
  const document = documentOf({
    '/a': get('pets/list all'),
    '/b': get('pets_list_all'),
    '/c': get('Pets_List_All'),
    '/d/{id}': { parameters: [{ name: 'id', in: 'path', schema: string }], ...get() },
    '/e': get('x'.repeat(100)),
    '/f': get('x'.repeat(100)),
    '/g': get('\u{1f436}'),
  });
  const options = { baseUrl: 'https://pets.example' };
  const names = fromOpenApi(document, options).tools.map(({ name }) => name);
  const long = 'x'.repeat(64);
  expect(names).toEqual([
    ...['pets_list_all', 'pets_list_all_2', 'Pets_List_All_3', 'get_d_id', long, `${long.slice(2)}_2`, 'get'],
  ]);
  const renamed = fromOpenApi(document, {
    ...options,
    rename: ({ path }) => (path === '/a' ? 'my tool' : undefined),
  });
  expect(renamed.tools.map(({ name }) => name).slice(0, 2)).toEqual(['my_tool', 'pets_list_all']);
});

test('follows the method in annotations', () => {
  const operation = { responses: {} };
  const document = documentOf({
    '/a': {
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      patch: operation,
      head: operation,
    },
  });
  const { tools, skipped } = fromOpenApi(document, { baseUrl: 'https://pets.example' });
  const hints = tools.map(({ operation: { method }, options: { annotations: a } }) =>
    [method, a?.readOnlyHint, a?.destructiveHint, a?.idempotentHint].join(' '),
  );
  expect(hints.sort()).toEqual([
    'DELETE false true true',
    'GET true  ',
    'PATCH false true false',
    'POST false true false',
    'PUT false true true',
  ]);
  expect(skipped).toEqual([{ method: 'HEAD', path: '/a', reason: 'responses to HEAD have no content' }]);
});

test('describes a tool without markup, and says that results come in pages', () => {
  const get = {
    operationId: 'list',
    summary: 'List pets',
    description: `<p>All\n pets\u001b[31m.</p> ${'More. '.repeat(1_000)}`,
    parameters: [
      { name: 'page[number]', in: 'query', schema: { type: 'integer' } },
      { name: 'cursor', in: 'query', schema: string, description: 'The next page' },
      { name: 'per_page', in: 'query', schema: { type: 'integer' } },
    ],
    responses: {},
  };
  const { tools } = fromOpenApi(documentOf({ '/pets': { get } }), { baseUrl: 'https://pets.example' });
  const { description = '', input } = tools[0]?.options ?? {};
  expect(description).toMatch(/^List pets\. All pets ?\. More\. /);
  expect(description).toMatch(
    /More\. Results come in pages: `cursor` selects one, and `per_page` sets the size of a page\.$/,
  );
  expect(description.length).toBeLessThan(1_200);
  expect(input).toMatchObject({
    properties: { page_number: { type: 'integer' }, cursor: { description: 'The next page' } },
  });
});

test('rejects a misspelt option', () => {
  expect(() => fromOpenApi(documentOf(withPet), { baseURL: 'https://pets.example' } as object)).toThrow(
    'fromOpenApi: there is no option "baseURL". Did you mean "baseUrl"?',
  );
});

test('says that an output is an object where all of its alternatives are', () => {
  const get = {
    operationId: 'get',
    responses: { 200: { content: json({ allOf: [pet] }) }, 201: { content: json(pet) } },
  };
  const { tools } = fromOpenApi(documentOf({ '/a': { get } }), { baseUrl: 'https://pets.example' });
  expect(tools[0]?.options.output).toMatchObject({ type: 'object', anyOf: [{}, { type: 'object' }] });
});
