import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { createServer, type Server } from '../server.js';

const info = { name: 'test', version: '1' };
const handler = () => 'x';

/** Registers as an author without types may do. */
function registering(kind: 'tool' | 'prompt' | 'resource', ...given: unknown[]): () => unknown {
  const server = createServer(info);
  return () => (server[kind] as (...all: unknown[]) => unknown).call(server, ...given);
}

const tool = (options: unknown) => registering('tool', 'forecast', options, handler);
const prompt = (options: unknown) => registering('prompt', 'brief', options, handler);
const resource = (options: unknown, uri = 'notes://today') => registering('resource', uri, options, handler);

describe('the error for a misspelt option suggests the right name', () => {
  test.each([
    [
      tool({ descripton: 'x' }),
      'Tool "forecast": there is no option "descripton". Did you mean "description"?',
    ],
    [tool({ Title: 'x' }), 'Tool "forecast": there is no option "Title". Did you mean "title"?'],
    [tool({ inputs: {} }), 'Tool "forecast": there is no option "inputs". Did you mean "input"?'],
    [tool({ inputSchema: {} }), 'Tool "forecast": there is no option "inputSchema": use "input".'],
    [tool({ outputSchema: {} }), 'Tool "forecast": there is no option "outputSchema": use "output".'],
    [tool({ scope: 'a' }), 'Tool "forecast": there is no option "scope": use "scopes", a list.'],
    [
      tool({ taskSupport: 'optional' }),
      'no option "taskSupport": tasks are an extension, with an option of its own.',
    ],
    [tool({ execution: {} }), 'no option "execution": it follows from an option of an extension.'],
    [tool({ parameters: {} }), 'Tool "forecast": there is no option "parameters": use "input".'],
    [
      tool({ colour: 'red' }),
      'Tool "forecast": there is no option "colour". There are: title, description, input, output, annotations, icons, ' +
        'timeout, visible, scopes, meta.',
    ],
    [
      tool({ annotations: { readonlyHint: true } }),
      'Tool "forecast": there is no option "annotations.readonlyHint". Did you mean "readOnlyHint"?',
    ],
    [tool({ icons: [{ url: 'https://a.b/c' }] }), 'there is no option "icons[0].url": use "src".'],
    [tool(JSON.parse('{"__proto__": 1}')), 'there is no option "__proto__"'],
    [tool({ constructor: 1 }), 'there is no option "constructor"'],
    [prompt({ arguments: {} }), 'Prompt "brief": there is no option "arguments": use "args".'],
    [prompt({ completes: {} }), 'Prompt "brief": there is no option "completes". Did you mean "complete"?'],
    [resource({ mimetype: 'text/plain' }), 'there is no option "mimetype". Did you mean "mimeType"?'],
    [resource({ cache: { ttl: 5 } }), 'there is no option "cache.ttl": use "ttlMs", in milliseconds.'],
    [
      resource({ annotations: { prioritiy: 1 } }),
      'no option "annotations.prioritiy". Did you mean "priority"?',
    ],
  ])('%#', (register, message) => {
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
  });
});

describe('the error for an option of the wrong type names the right type', () => {
  test.each([
    [tool({ title: 5 }), 'Tool "forecast": title must be a string, not 5.'],
    [
      tool({ scopes: 'a' }),
      'Tool "forecast": scopes must be a list of scopes, such as ["notes:write"], not "a".',
    ],
    [tool({ scopes: ['a', 'b c'] }), 'Tool "forecast": scopes[1] must be the name of a scope'],
    [prompt({ scopes: ['"'] }), 'Prompt "brief": scopes[0] must be the name of a scope'],
    [resource({ scopes: [5] }), 'Resource "notes://today": scopes[0] must be the name of a scope'],
    [tool({ scopes: ['offline_access'] }), 'scopes[0] must not be "offline_access"'],
    [tool({ description: ['a'] }), 'Tool "forecast": description must be a string, not a list.'],
    [tool({ annotations: true }), 'Tool "forecast": annotations must be an object of hints, not true.'],
    [
      tool({ annotations: { readOnlyHint: 'yes' } }),
      'annotations.readOnlyHint must be true or false, not "yes".',
    ],
    [tool({ annotations: { title: 1 } }), 'annotations.title must be a string, not 1.'],
    [tool({ visible: true }), 'Tool "forecast": visible must be a function, not true.'],
    [tool({ visible: async () => true }), 'Tool "forecast": visible must answer at once'],
    [tool({ meta: 'x' }), 'Tool "forecast": meta must be an object, not "x".'],
    [tool({ icons: {} }), 'Tool "forecast": icons must be a list of icons, not an object.'],
    [tool({ icons: ['https://a.b/c'] }), 'icons[0] must be an object with "src", not "https://a.b/c".'],
    [tool({ icons: [{}] }), 'Tool "forecast": icons[0] needs "src".'],
    [
      tool({ icons: [{ src: 'data:,x', sizes: '48x48' }] }),
      'icons[0].sizes must be a list of sizes, not "48x48".',
    ],
    [
      tool({ icons: [{ src: 'data:,x', sizes: ['big'] }] }),
      'icons[0].sizes[0] must be "48x48" or the like, or "any"',
    ],
    [
      tool({ icons: [{ src: 'data:,x', theme: 'blue' }] }),
      'icons[0].theme must be "light" or "dark", not "blue".',
    ],
    [tool({ icons: [{ src: 'data:,x', mimeType: 'png' }] }), 'icons[0].mimeType must be a media type'],
    [
      prompt({ complete: () => [] }),
      'Prompt "brief": complete must be an object of functions, one for each name.',
    ],
    [
      prompt({ args: z.object({ city: z.string() }), complete: { city: ['Oslo'] } }),
      'Prompt "brief": complete.city must be a function, not a list: suggest([...]) makes one of a list.',
    ],
    [resource({ name: '' }), 'Resource "notes://today": name must be a string that is not empty, not "".'],
    [resource({ mimeType: 'text' }), 'mimeType must be a media type such as "text/plain", not "text".'],
    [resource({ size: -1 }), 'size must be a whole number of bytes, 0 or more, not -1.'],
    [resource({ size: '5' }), 'size must be a whole number of bytes, 0 or more, not "5".'],
    [resource({ annotations: { priority: 2 } }), 'annotations.priority must be a number from 0'],
    [
      resource({ annotations: { audience: 'user' } }),
      'annotations.audience must be a list of "user" and "assistant"',
    ],
    [
      resource({ annotations: { audience: ['robot'] } }),
      'annotations.audience[0] must be "user" or "assistant"',
    ],
    [
      resource({ annotations: { lastModified: 'today' } }),
      'annotations.lastModified must be an ISO 8601 date',
    ],
    [
      resource({ cache: { cacheScope: 'shared' } }),
      'cache.cacheScope must be "public" or "private", not "shared".',
    ],
    [resource({ list: [] }, 'notes://{id}'), 'Resource "notes://{id}": list must be a function, not a list.'],
    [resource({ size: 5 }, 'notes://{id}'), 'is a template: "size" has no meaning for it'],
  ])('%#', (register, message) => {
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
  });
});

describe('the error for a missing or misplaced handler names its place', () => {
  test.each([
    [
      registering('tool', 'forecast', handler),
      'Tool "forecast": the options come before the handler: tool(name, options, handler), with {} for no options.',
    ],
    [registering('tool', 'forecast', handler, {}), 'Tool "forecast": the options come before the handler'],
    [
      registering('tool', 'forecast'),
      'Tool "forecast": options must be an object: tool(name, options, handler)',
    ],
    [
      registering('tool', 'forecast', {}),
      'Tool "forecast" needs a handler: a function of (input, ctx), after the options: tool(name, options, handler).',
    ],
    [
      registering('tool', 'forecast', { handler }),
      'Tool "forecast": there is no option "handler": the handler is given after the options, not among them.',
    ],
    [registering('tool', 'forecast', { execute: handler }), 'the handler is given after the options'],
    [registering('prompt', 'brief', {}, 'text'), 'Prompt "brief" needs a handler: a function of (args, ctx)'],
    [registering('prompt', '', {}, handler), 'A prompt needs a name.'],
    [registering('resource', 'a://a', {}), 'Resource "a://a" needs a handler: a function of (input, ctx)'],
    [registering('resource', 'a://a', { read: handler }), 'the handler is given after the options'],
    [registering('resource', undefined, {}, handler), 'A resource needs a URI'],
    [registering('tool', { name: 'forecast' }, handler), 'Tool name {"name":"forecast"}: use 1 to 128'],
  ])('%#', (register, message) => {
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
  });
});

describe('an icon’s source', () => {
  const withIcon = (src: unknown) => tool({ icons: [{ src }] });

  test.each(['https://example.com/a.png', 'HTTPS://example.com/a', 'data:image/png;base64,AAAA', 'DATA:,x'])(
    '%s is taken',
    (src) => {
      expect(withIcon(src)).not.toThrow();
    },
  );

  test.each([
    'http://example.com/a.png',
    '/a.png',
    'a.png',
    '//example.com/a.png',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://a/b',
    'ws://a/b',
    'https:',
    'https://',
    'https://user:pass@example.com/a.png',
    ' https://example.com/a.png',
    '',
    5,
    null,
  ])('%j is refused', (src) => {
    expect(withIcon(src)).toThrow(
      'icons[0].src must be an absolute https: URL without credentials, or a data: URL',
    );
  });
});

describe('arguments of a prompt arrive as text', () => {
  test.each([
    ['a number', z.object({ words: z.number() })],
    ['a boolean, by default true', z.object({ words: z.boolean().default(true) })],
    ['a list', z.object({ city: z.string(), words: z.array(z.string()) })],
    ['an object', z.object({ words: z.object({ least: z.string() }) })],
    ['a number or null', z.object({ words: z.number().nullable().optional() })],
    ['a number, plainly', { type: 'object', properties: { words: { type: 'number' } } }],
    ['one of some numbers, plainly', { type: 'object', properties: { words: { enum: [1, 2] } } }],
    [
      'a number or a list, plainly',
      { type: 'object', properties: { words: { anyOf: [{ type: 'integer' }, { type: 'array' }] } } },
    ],
  ])('rejects %s', (_, args) => {
    expect(prompt({ args })).toThrow(
      'Prompt "brief" args: "words" takes no text, and arguments of prompts arrive as text; use a string, or a schema that ' +
        'converts one, such as z.coerce.number().',
    );
  });

  test.each([
    ['a number that is converted', z.object({ words: z.coerce.number().default(50) })],
    ['some words', z.object({ unit: z.enum(['C', 'F']) })],
    ['a pattern', z.object({ code: z.string().regex(/^[A-Z]{2}$/) })],
    [
      'a text that becomes something else',
      z.object({ many: z.string().transform((text) => text.split(',')) }),
    ],
    ['a text or a number', z.object({ words: z.union([z.string(), z.number()]) })],
    ['anything, plainly', { type: 'object', properties: { words: {} } }],
    ['a text or null, plainly', { type: 'object', properties: { words: { type: ['string', 'null'] } } }],
    ['what is checked elsewhere', z.object({ id: z.string().refine(async () => true) })],
  ])('accepts %s', (_, args) => {
    expect(prompt({ args })).not.toThrow();
  });
});

describe('a URI', () => {
  test.each(['a://%zz', 'a://%', 'a://b%2', 'a://b c', 'a://b\\c', 'a://b|c', 'a://b\n', 'a://b"c', 'a://}'])(
    'that is none is refused: %j',
    (uri) => {
      expect(resource({}, uri)).toThrow(TypeError);
    },
  );

  test.each(['a://%7A', 'a:b', 'urn:isbn:0451450523', 'file:///a%20b', 'a://b/ü', 'https://a/b?c=d#e'])(
    'of any scheme is taken: %s',
    (uri) => {
      expect(resource({}, uri)).not.toThrow();
    },
  );
});

describe('a template that nothing leads to', () => {
  test.each([
    [
      'notes/{id}',
      'gives URIs such as "notes/a", which are not absolute; begin with a scheme, as notes://{id} does',
    ],
    ['/{id}', 'gives URIs such as "/a"'],
    ['{?q}', 'gives URIs such as "?q=a"'],
  ])('%s is refused', (text, message) => {
    expect(resource({}, text)).toThrow(TypeError);
    expect(resource({}, text)).toThrow(`Resource template "${text}" ${message}`);
  });

  test.each([
    ['notes://{id}', 'notes://{name}'],
    ['notes://{id}/{part}', 'notes://{a}/{b}'],
    ['notes://{x}/{x}', 'notes://{y}/{y}'],
    ['notes://{x}{?q}', 'notes://{y}{?q}'],
  ])('%s is refused after %s', (first, second) => {
    const server = createServer(info).resource(first, {}, handler) as Server;
    expect(() => server.resource(second, {}, handler)).toThrow(
      `Resource template "${second}" is never reached: "${first}" comes before it and fits the same URIs.`,
    );
    server.removeResource(first);
    expect(() => server.resource(second, {}, handler)).not.toThrow();
  });

  test.each([
    ['notes://{id}', 'notes://{+id}'],
    ['notes://{x}/{x}', 'notes://{x}/{y}'],
    ['notes://{x}{?q}', 'notes://{x}{?r}'],
    ['notes://{x}', 'notes://{x:3}'],
    ['notes://{x}', 'notes://{x*}'],
  ])('accepts %s and %s, which differ', (first, second) => {
    const server = createServer(info).resource(first, {}, handler);
    expect(() => server.resource(second, {}, handler)).not.toThrow();
  });

  test('accepts a template after one with a visibility', () => {
    const server = createServer(info).resource('notes://{id}', { visible: () => false }, handler);
    expect(() => server.resource('notes://{name}', {}, handler)).not.toThrow();
  });

  test.each([
    '{+uri}',
    '{uri}',
    '{scheme}://x',
    'file:///{+path}',
    'a://{host}:{port}/{x}',
    'http://[{address}]/x',
    'urn:{a}:{b}',
    'mailto:{x}',
    'x://y{?q,limit}',
    'x://y{/path*}{#part}',
    'x://{a:3}',
    'https://{sub}.example.com/{id}',
  ])('accepts %s', (text) => {
    expect(resource({}, text)).not.toThrow();
  });
});

describe('a parameter that a header repeats', () => {
  const warnings = (name: string, more: object = {}) => {
    const reported: string[] = [];
    const server = createServer(info, {
      onError: (error, where) => reported.push(`${where}: ${(error as Error).message}`),
    });
    const properties = { [name]: { type: 'string', 'x-mcp-header': 'Region', ...more } };
    server.tool('deploy', { input: { type: 'object', properties } as never }, handler);
    return reported;
  };

  test.each([
    'password',
    'apiKey',
    'api_key',
    'access-token',
    'userPassword',
    'SSN',
    'clientSecret',
    'creditCard',
  ])('warns the author of a sensitive name, and registers the tool: %s', (name) => {
    shows('draft-tools/tools/header-not-sensitive');
    showsBy(name, {
      password: '2026-07-28/server/tools/sensitive-not-marked',
      'access-token': '2026-07-28/server/tools/sensitive-not-marked',
    });
    expect(warnings(name)).toEqual([
      `tool: Tool "deploy": the parameter "${name}" looks sensitive, and "x-mcp-header" copies it into a header, which ` +
        'proxies may read and log; take the annotation out.',
    ]);
  });

  test.each(['region', 'tokenizer', 'tenant', 'secretary', 'compass', 'keyboard', 'author', 'shopping'])(
    'may be anything else: %s',
    (name) => {
      expect(warnings(name)).toEqual([]);
    },
  );
});

test.each([
  ['tool', 'forecast', 'There is already a tool named "forecast". Remove it first, or choose another name.'],
  ['prompt', 'brief', 'There is already a prompt named "brief". Remove it first, or choose another name.'],
  [
    'resource',
    'a://a',
    'There is already a resource named "a://a". Remove it first, or choose another name.',
  ],
  ['resource', 'a://{a}', 'There is already a resource template named "a://{a}". Remove it first'],
] as const)('a second %s named %s is refused', (kind, name, message) => {
  const server = createServer(info) as unknown as Record<string, (...given: unknown[]) => unknown>;
  server[kind]?.(name, {}, handler);
  expect(() => server[kind]?.(name, {}, handler)).toThrow(message);
});

test('a rejected registration leaves nothing behind', () => {
  const server = createServer(info);
  expect(() => server.tool('forecast', { title: 5 as never }, handler)).toThrow();
  expect(() => server.resource('a://{a}', { list: 5 as never }, handler)).toThrow();
  expect(server.removeTool('forecast')).toBe(false);
  expect(server.removeResource('a://{a}')).toBe(false);
});

test('options that are undefined are as if they were left out', () => {
  const nothing = {
    title: undefined,
    icons: undefined,
    visible: undefined,
    annotations: { readOnlyHint: undefined },
  };
  expect(tool({ ...nothing, input: undefined, output: undefined })).not.toThrow();
});
