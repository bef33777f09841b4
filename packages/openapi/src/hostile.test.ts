import { otherBounds } from '@tenon/foundation';
import { expect, test } from 'vitest';
import { documentOf, serve, startApi } from '../test/api.js';
import { fromOpenApi } from './index.js';

const base = { baseUrl: 'https://pets.example' };
const string = { type: 'string' };

test.each([
  'http://169.254.169.254/latest',
  'https://169.254.169.254',
  'http://metadata.google.internal',
  'https://10.0.0.8',
  'http://127.0.0.1:2375',
  'https://localhost',
  'file:///etc',
  'https://user:pass@pets.example',
])('sends no request to %s, which a document names', async (url) => {
  const asked: string[] = [];
  const fetch = async (to: string) => {
    asked.push(to);
    return Response.json({});
  };
  const document = documentOf(
    { '/a': { get: { operationId: 'get', responses: {} } } },
    { servers: [{ url }] },
  );
  const { tools, call } = await serve(document, { documentServers: true, fetch });
  if (tools.tools.length > 0) expect(await call('get')).toMatch(/^error: /);
  expect(asked).toEqual([]);
});

test('reaches a private server of a document that allow names', async () => {
  const asked: string[] = [];
  const fetch = async (to: string) => {
    asked.push(to);
    return Response.json({});
  };
  const document = documentOf(
    { '/a': { get: { operationId: 'get', responses: {} } } },
    { servers: [{ url: 'http://10.0.0.8' }] },
  );
  const { call } = await serve(document, { documentServers: true, allow: ['http://10.0.0.8'], fetch });
  await call('get');
  expect(asked).toEqual(['http://10.0.0.8/a']);
});

test('sends no request to a private address that a public API redirects to', async () => {
  const asked: string[] = [];
  const fetch = async (to: string) => {
    asked.push(to);
    return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } });
  };
  const document = documentOf({ '/a': { get: { operationId: 'get', responses: {} } } });
  const { call } = await serve(document, { baseUrl: 'http://8.8.8.8', fetch });
  expect(await call('get')).not.toContain('169.254');
  expect(asked).toEqual(['http://8.8.8.8/a']);
});

test('rejects documents with too many operations, characters or tools', () => {
  const paths = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: {} }]));
  expect(() => fromOpenApi(documentOf(paths(10_001)), base)).toThrow(
    'the document has more than 10000 operations',
  );
  expect(() => fromOpenApi(documentOf(paths(2_001)), base)).toThrow(
    'more than 2000 operations; choose some with include',
  );
  expect(fromOpenApi(documentOf(paths(9_000)), { ...base, include: { paths: ['/p1'] } }).tools).toHaveLength(
    1,
  );
  expect(() => fromOpenApi(' '.repeat(33_554_433), base)).toThrow('more than 33554432 characters');
});

test('rejects aliases of YAML that would make a huge document', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level++)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
  expect(() => fromOpenApi(lines.join('\n'), base)).toThrow('the document is neither JSON nor YAML');
});

test('reads a document that holds itself, and schemas without an end', () => {
  const loop: Record<string, unknown> = { type: 'object' };
  loop.properties = { loop, name: string };
  const deep = JSON.parse(`${'{"items":'.repeat(5_000)}{}${'}'.repeat(5_000)}`);
  const parameters = [
    { in: 'query', name: 'loop', schema: loop },
    { in: 'query', name: 'deep', schema: deep },
  ];
  const { tools } = fromOpenApi(documentOf({ '/a': { get: { parameters, responses: {} } } }), base);
  expect(tools).toHaveLength(1);
  expect(JSON.stringify(tools[0]?.options.input).length).toBeLessThan(50_000);
});

test('reads references that would make a schema of exponential size', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      return [`S${index}`, { type: 'object', properties: { a: next, b: next } }];
    }),
  );
  const all = { ...schemas, S40: string };
  const parameters = [{ in: 'query', name: 'q', schema: { $ref: '#/components/schemas/S0' } }];
  const document = documentOf(
    { '/a': { get: { parameters, responses: {} } } },
    { components: { schemas: all } },
  );
  const { tools } = fromOpenApi(document, base);
  expect(JSON.stringify(tools[0]?.options.input).length).toBeLessThan(50_000);
});

test('has no names of prototypes, and changes none', async () => {
  const api = await startApi();
  const text = `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"post":{"operationId":"__proto__",
    "parameters":[{"in":"query","name":"__proto__","schema":{"type":"string"}},{"in":"query","name":"constructor","schema":{"type":"string"}}],
    "requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}}}}}},
    "responses":{}}}}}`;
  const { tools, call } = await serve(text, { baseUrl: api.url });
  const { name, options } = tools.tools[0] ?? {};
  expect(name).toBe('proto');
  expect(Object.keys((options?.input as { properties: object } | undefined)?.properties ?? {})).toEqual([
    'proto',
    'constructor',
    'toString',
  ]);
  await call('proto', { proto: 'a', constructor: 'b', toString: 'c' });
  expect(api.received[0]?.url).toBe('/a?__proto__=a&constructor=b');
  expect(String(api.received[0]?.body)).toBe('{"toString":"c"}');
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  const yaml = 'openapi: 3.1.0\n__proto__: { polluted: true }\npaths: {}';
  expect(fromOpenApi(yaml, base).tools).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('shows no control characters and no long texts of a document', () => {
  const evil = `\u001b]0;x\u0007\u202e${'long '.repeat(100_000)}`;
  const parameters = [
    {
      in: 'query',
      name: `a${evil}`.slice(0, 60),
      description: evil,
      schema: { ...string, title: evil, description: evil },
    },
    {
      in: 'query',
      name: 'q',
      schema: { type: 'object', properties: { 'b\u001b[2J': string, fine: string } },
    },
  ];
  const document = {
    openapi: '3.1.0',
    info: { title: evil, version: '1' },
    paths: {
      '/a': {
        get: { operationId: evil, summary: evil, description: evil, tags: [evil], parameters, responses: {} },
      },
    },
  };
  const { tools, title } = fromOpenApi(document, base);
  const [tool] = tools;
  const shown = JSON.stringify([
    title,
    tool?.name,
    tool?.operation.tags,
    tool?.operation.summary,
    tool?.options,
  ]);
  expect(shown).not.toMatch(/\\u00|\u202e/);
  expect(shown.length).toBeLessThan(5_000);
  expect(shown).toContain('fine');
});

test('cuts off an answer that is too large or too slow', async () => {
  const api = await startApi();
  api.answer = { body: 'x'.repeat(2_000) };
  const document = documentOf({ '/a': { get: { operationId: 'get', responses: {} } } });
  const { call } = await serve(document, { baseUrl: api.url, ...otherBounds({ answerBytes: 1_000 }) });
  expect(await call('get')).toContain('sent a response of more than 1000 bytes');
  const slow = await serve(document, {
    baseUrl: api.url,
    fetch: () => new Promise(() => {}),
    ...otherBounds({ requestTime: 5 }),
  });
  expect(await slow.call('get')).toContain('did not answer within 5 ms');
});

test('skips operations that are malformed, and keeps the others', () => {
  const document = documentOf({
    '/fine': { get: {} },
    '/{id}': { get: {} },
    '/\u00e9': { get: {} },
    '/in': { get: { parameters: [{ in: 'body', name: 'x' }] } },
    '/style': { get: { parameters: [{ in: 'query', name: 'x', style: 'matrix' }] } },
    '/header': { get: { parameters: [{ in: 'header', name: 'a:\r\nb' }] } },
    '/ref': { $ref: '#/paths/~1none' },
    '/null': null,
    '/list': { get: [] },
    '/odd': { get: { parameters: 'none', requestBody: 5, responses: [], tags: {}, security: [] } },
    '/method': { additionalOperations: { 'GET /': {} } },
  });
  const { tools, skipped } = fromOpenApi(document, base);
  expect(tools.map(({ operation: { path } }) => path)).toEqual(['/fine', '/odd']);
  const paths = ['/ref', '/method', '/{id}', '/\u00e9', '/in', '/style', '/header'];
  expect(skipped.map(({ path }) => path).sort()).toEqual(paths.sort());
});
