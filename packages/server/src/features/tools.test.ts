import { RpcError } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { ToolError } from '../results/tool-result.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const quiet = { onError: () => undefined };

const sum = createServer(info).tool(
  'add',
  {
    description: 'Adds',
    input: z.object({ a: z.number(), b: z.number().default(2) }),
    output: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ sum: a + b }),
);

describe.each(everyRevision)('in $id', (revision) => {
  test('a tool is listed and called', async () => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/server/tools/respond-to-list' });
    const peer = await WirePeer.open(sum, revision);
    const list = await peer.request('tools/list');
    expect(list.result?.tools).toHaveLength(1);
    expect(list.result?.tools?.[0]).toMatchObject({
      name: 'add',
      description: 'Adds',
      inputSchema: { type: 'object' },
    });
    const call = await peer.request('tools/call', { name: 'add', arguments: { a: 1 } });
    expect(call.result).toMatchObject({ content: [{ type: 'text', text: '{"sum":3}' }], isError: false });
  });

  test('an unknown tool is invalid params, and its name does not reach into prototypes', async () => {
    showsBy(revision.id, {
      '2024-11-05': '2024-11-05/server/tools/protocol-errors',
      '2025-11-25': '2025-11-25-server-features/tools/protocol-errors',
      '2026-07-28': '2026-07-28/server/tools/protocol-errors',
    });
    const peer = await WirePeer.open(sum, revision);
    for (const name of ['nope', '__proto__', 'constructor', 'toString']) {
      const answer = await peer.request('tools/call', { name });
      expect(answer.error).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
    }
  });

  test('bad input names the path, as a tool error or as invalid params', async () => {
    showsBy(revision.id, {
      '2024-11-05': ['2024-11-05/server/tools/protocol-errors', '2024-11-05/server/tools/inputs-validated'],
      '2025-11-25': '2025-11-25-server-features/tools/invalid-input',
      '2026-07-28': ['2026-07-28/server/tools/execution-errors', '2026-07-28/server/tools/validate-inputs'],
    });
    const peer = await WirePeer.open(sum, revision);
    const answer = await peer.request('tools/call', { name: 'add', arguments: { a: '1' } });
    if (revision.rules.badToolInput === 'tool-error') {
      expect(answer.result?.isError).toBe(true);
      expect(answer.result?.content?.[0]?.text).toContain('a: ');
    } else {
      expect(answer.error?.code).toBe(-32602);
      expect(answer.error?.message).toContain('a: ');
    }
  });
});

test('structured output reaches revisions that have it, and only those', async () => {
  for (const revision of everyRevision) {
    const peer = await WirePeer.open(sum, revision);
    const { result } = await peer.request('tools/call', { name: 'add', arguments: { a: 5 } });
    const listed = await peer.request('tools/list');
    const has = revision.inputRequests.has('elicitation/create');
    expect(result?.structuredContent).toEqual(has ? { sum: 7 } : undefined);
    expect(listed.result?.tools?.[0]?.outputSchema !== undefined).toBe(has);
  }
});

test('converts return values of a handler to content', async () => {
  shows('2026-07-28/server/tools/structured-as-text');
  const block = { type: 'text', text: 'block' } as const;
  const server = createServer(info)
    .tool('text', {}, () => 'words')
    .tool('block', {}, () => block)
    .tool('blocks', {}, async () => [block, block])
    .tool('full', {}, () => ({ content: [block], isError: true }))
    .tool('nothing', {}, () => undefined)
    .tool('list', { output: z.array(z.number()) }, () => [1, 2]);
  const peer = await WirePeer.open(server, latestStateless);
  const call = async (name: string) => (await peer.request('tools/call', { name })).result;
  expect((await call('text'))?.content).toEqual([{ type: 'text', text: 'words' }]);
  expect((await call('block'))?.content).toEqual([block]);
  expect((await call('blocks'))?.content).toEqual([block, block]);
  expect(await call('full')).toMatchObject({ content: [block], isError: true });
  expect((await call('nothing'))?.content).toEqual([]);
  expect(await call('list')).toMatchObject({ content: [{ text: '[1,2]' }], structuredContent: [1, 2] });
});

test('a tool without input refuses arguments', async () => {
  shows(
    '2024-11-05/server/tools/inputs-validated',
    '2025-11-25-server-features/tools/no-parameters',
    '2026-07-28/server/tools/input-schema-object',
    '2026-07-28/server/tools/validate-inputs',
  );
  const peer = await WirePeer.open(createServer(info).tool('none', {}, () => 'ok'));
  expect((await peer.request('tools/list')).result?.tools).toMatchObject([
    { name: 'none', inputSchema: { type: 'object', additionalProperties: false } },
  ]);
  expect((await peer.request('tools/call', { name: 'none', arguments: {} })).result?.isError).toBe(false);
  const answer = await peer.request('tools/call', { name: 'none', arguments: { x: 1 } });
  expect(answer.result?.content?.[0]?.text).toContain('x: this tool takes no arguments');
  const long = await peer.request('tools/call', { name: 'none', arguments: { ['y'.repeat(100_000)]: 1 } });
  expect(long.result?.content?.[0]?.text?.length).toBeLessThan(400);
});

test('hides unexpected errors of a handler from the model', async () => {
  shows(
    '2024-11-05/index/best-practices',
    '2024-11-05/server/tools/execution-errors',
    '2024-11-05/server/tools/outputs-sanitized',
    '2026-07-28/basic/index/error-data',
    '2026-07-28/server/tools/execution-errors',
  );
  const errors: unknown[] = [];
  const server = createServer(info, { onError: (error) => errors.push(error) })
    .tool('told', {}, () => {
      throw new ToolError('The date lies in the past.');
    })
    .tool('secret', {}, async () => {
      throw new Error('password=hunter2');
    })
    .tool('protocol', {}, () => {
      throw new RpcError(4001, 'No more credit', { data: { left: 0 } });
    });
  const peer = await WirePeer.open(server);
  expect((await peer.request('tools/call', { name: 'told' })).result).toEqual({
    content: [{ type: 'text', text: 'The date lies in the past.' }],
    isError: true,
  });
  expect((await peer.request('tools/call', { name: 'secret' })).result).toEqual({
    content: [{ type: 'text', text: expect.stringMatching(/^The tool "secret" failed\. /) }],
    isError: true,
  });
  expect((await peer.request('tools/call', { name: 'protocol' })).error).toEqual({
    code: 4001,
    message: 'No more credit',
    data: { left: 0 },
  });
  expect(errors).toEqual([new Error('password=hunter2')]);
});

test('output that breaks its schema is the author’s fault, not the model’s', async () => {
  shows('2025-11-25-server-features/tools/output-conforms', '2026-07-28/server/tools/output-conforms');
  const errors: Error[] = [];
  const server = createServer(info, { onError: (error) => errors.push(error as Error) }).tool(
    'wrong',
    { output: z.object({ n: z.number() }) },
    () => ({ n: 'x' }) as never,
  );
  const peer = await WirePeer.open(server);
  const { result } = await peer.request('tools/call', { name: 'wrong' });
  expect(result).toMatchObject({ isError: true });
  expect(result?.structuredContent).toBeUndefined();
  expect(errors[0]?.message).toContain('Tool "wrong" returned output that breaks its own schema: n: ');
});

test.each([
  ['', 'Tool name ""', '2025-11-25-server-features/tools/name-length', '2026-07-28/server/tools/name-length'],
  [
    'has space',
    'Tool name "has space"',
    '2025-11-25-server-features/tools/name-no-others',
    '2026-07-28/server/tools/name-no-others',
  ],
  [
    'a,b',
    'Tool name "a,b"',
    '2025-11-25-server-features/tools/name-no-others',
    '2026-07-28/server/tools/name-characters',
    '2026-07-28/server/tools/name-no-others',
  ],
  ['x'.repeat(129), 'Tool name', '2026-07-28/server/tools/name-length'],
])('the name %j is refused at registration', (name, message, ...ids) => {
  shows(...ids);
  expect(() => createServer(info).tool(name, {}, () => 'x')).toThrow(message);
});

test('a second tool of the same name is refused', () => {
  shows('2025-11-25-server-features/tools/name-unique', '2026-07-28/server/tools/name-unique');
  const server = createServer(info).tool('one', {}, () => 'x');
  expect(() => server.tool('one', {}, () => 'y')).toThrow('There is already a tool named "one"');
});

test('a bad header annotation is refused at registration', () => {
  shows('2026-07-28/server/tools/mark-invalid-registered');
  const input = { type: 'object', properties: { q: { type: 'number', 'x-mcp-header': 'Q' } } } as const;
  expect(() => createServer(info).tool('header', { input }, () => 'x')).toThrow('Tool "header"');
});

test('rejects methods of a feature without entries', async () => {
  shows(
    '2024-11-05/basic/index/other-components',
    '2024-11-05/server/prompts/capabilities-respected',
    '2025-03-26/errors/method-not-found',
    '2026-07-28/basic/index/components',
    '2026-07-28/server/index/primitives',
    '2026-07-28/server/prompts/capabilities-respected',
  );
  const peer = await WirePeer.open(createServer(info));
  expect((await peer.request('tools/list')).error?.code).toBe(-32601);
});

test('applies visibility in list and call', async () => {
  shows(
    '2024-11-05/architecture/security-constraints',
    '2024-11-05/index/data-protected',
    '2024-11-05/server/tools/access-controls',
    '2026-07-28/server/tools/list-by-authorization',
    '2026-07-28/server/tools/access-controls',
    '2026-07-28/server/utilities/caching/scope-correct',
    '2026-07-28/server/utilities/caching/access-controls',
    '2026-07-28/server/utilities/caching/not-scope-alone',
    'draft-tools/tools/by-authorization',
  );
  const server = createServer(info, quiet)
    .tool('open', {}, () => 'x')
    .tool('admin', { visible: (principal) => principal?.id === 'root' }, () => 'x');
  const peer = await WirePeer.open(server, latestStateless);
  const list = await peer.request('tools/list');
  expect(list.result?.tools?.map((tool) => tool.name)).toEqual(['open']);
  expect(list.result?.cacheScope).toBe('private');
  expect((await peer.request('tools/call', { name: 'admin' })).error?.message).toBe('Unknown tool: admin');
});

test('an unknown name is answered with the nearest name that the caller may see', async () => {
  const server = createServer(info, quiet)
    .tool('search', {}, () => 'x')
    .tool('admin_reset', { visible: () => false }, () => 'x')
    .prompt('review', {}, () => 'x');
  const peer = await WirePeer.open(server, latestStateless);
  const ask = async (method: string, name: string) => (await peer.request(method, { name })).error?.message;
  expect(await ask('tools/call', 'serch')).toBe('Unknown tool: serch. Did you mean "search"?');
  expect(await ask('tools/call', 'admin_rest')).toBe('Unknown tool: admin_rest');
  expect(await ask('tools/call', 'admin_reset')).toBe('Unknown tool: admin_reset');
  expect(await ask('tools/call', `\u001b[31m${'s'.repeat(500)}`)).toBe(`Unknown tool: ${'s'.repeat(123)}`);
  expect(await ask('prompts/get', 'reviews')).toBe('Unknown prompt: reviews. Did you mean "review"?');
});

test('middleware wraps calls and may answer itself', async () => {
  const seen: string[] = [];
  const server = createServer(info).tool('echo', { input: z.object({ say: z.string() }) }, ({ say }) => say);
  server.use(async (call, next) => {
    seen.push(`${call.direction} ${call.method}`);
    if (call.method !== 'tools/call') return next();
    return next({ ...call.params, arguments: { say: 'changed' } });
  });
  const peer = await WirePeer.open(server, latestHandshake);
  const { result } = await peer.request('tools/call', { name: 'echo', arguments: { say: 'said' } });
  expect(result?.content?.[0]?.text).toBe('changed');
  expect(seen).toEqual(['inbound initialize', 'inbound tools/call']);
});

test('whatever can be awaited is awaited, as query builders are', async () => {
  const method = 'then';
  const later = <T>(value: T) => ({ [method]: (resolve: (value: T) => void) => resolve(value) });
  const server = createServer(info)
    .tool('loose', {}, () => later('words') as never)
    .tool('promised', { output: z.object({ n: z.number() }) }, () => later({ n: 1 }) as never)
    .prompt('prompt', {}, () => later('words') as never)
    .resource('a://a', {}, () => later('words') as never)
    .resource('a://{b}', { complete: { b: () => later(['c']) as never } }, () => undefined);
  const peer = await WirePeer.open(server, latestStateless);
  expect((await peer.request('tools/call', { name: 'loose' })).result?.content?.[0]?.text).toBe('words');
  expect((await peer.request('tools/call', { name: 'promised' })).result?.structuredContent).toEqual({
    n: 1,
  });
  const prompt = await peer.request('prompts/get', { name: 'prompt' });
  expect(prompt.result?.messages?.[0]?.content?.text).toBe('words');
  expect((await peer.request('resources/read', { uri: 'a://a' })).result?.contents?.[0]?.text).toBe('words');
  const ref = { type: 'ref/resource', uri: 'a://{b}' };
  const completed = await peer.request('completion/complete', { ref, argument: { name: 'b', value: '' } });
  expect(completed.result?.completion?.values).toEqual(['c']);
});

test('repeats structured content of a full result as text when the result has no other content', async () => {
  shows('2025-11-25-server-features/tools/structured-as-text', '2026-07-28/server/tools/structured-as-text');
  const output = z.object({ n: z.number() });
  const block = { type: 'text', text: 'one' } as const;
  const server = createServer(info)
    .tool('bare', { output }, () => ({ content: [], structuredContent: { n: 1 } }))
    .tool('loose', {}, () => ({ content: [], structuredContent: { n: 1 } }))
    .tool('told', { output }, () => ({ content: [block], structuredContent: { n: 1 } }));
  const peer = await WirePeer.open(server, everyRevision.at(-1));
  const texts = async (name: string) => (await peer.request('tools/call', { name })).result?.content;
  expect(await texts('bare')).toEqual([{ type: 'text', text: '{"n":1}' }]);
  expect(await texts('loose')).toEqual([{ type: 'text', text: '{"n":1}' }]);
  expect(await texts('told')).toEqual([block]);
});

test.each([
  ['no slash after dots', { 'com.example': 1 }, undefined],
  ['a prefix and a name', { 'com.example/key': 1 }, undefined, '2026-07-28/basic/index/meta-reverse-dns'],
  [
    'a prefix that starts with a digit',
    { '1com.example/key': 1 },
    'the metadata key "1com.example/key" must be',
  ],
  ['a name with a blank', { 'a key': 1 }, 'Tool "t": the metadata key "a key" must be'],
])('metadata with %s', (...[, meta, message, ...ids]) => {
  shows(...ids);
  const register = () => createServer(info).tool('t', { meta }, () => 'x');
  if (message === undefined) expect(register).not.toThrow();
  else expect(register).toThrow(message);
});
