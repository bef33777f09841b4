import { type Exchange, MetaKey, type Principal, type UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { latestHandshake, latestStateless } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

const stamp = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
const scopes = ['notes:read', 'notes:write'];

/** One of each kind, and each takes two scopes. */
function scopedServer(ran: string[] = []): Server {
  const noted =
    <T>(value: T) =>
    () => {
      ran.push('ran');
      return value;
    };
  const input = { type: 'object', properties: { city: { type: 'string' } } } as const;
  return createServer({ name: 'test', version: '1' })
    .tool('write', { scopes, input }, noted('x'))
    .prompt('write', { scopes, args: input, complete: { city: noted(['Oslo']) } }, noted('x'))
    .resource('a://write', { scopes, cache: { ttlMs: 5, cacheScope: 'public' } }, noted('x'))
    .resource(
      'b://{id}',
      { scopes, complete: { id: noted(['1']) }, list: noted([{ uri: 'b://1', name: '1' }]) },
      noted('x'),
    )
    .resource('a://open', {}, () => 'x') as unknown as Server;
}

/** An exchange that notes which scopes its caller was found to lack. */
function exchangeOf(principal: Principal | undefined, anonymous = false) {
  const lacking: (readonly string[])[] = [];
  const exchange: Exchange = {
    facts: { anonymous, ...(principal !== undefined && { principal }) },
    send: () => undefined,
    scopesLacking: (told) => void lacking.push(told),
  };
  return { exchange, lacking };
}

interface Asked {
  readonly method: string;
  readonly params: object;
}

async function ask(server: Server, { method, params }: Asked, as: ReturnType<typeof exchangeOf>) {
  const request = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: stamp } };
  const answer = server.answer(request, as.exchange);
  // A listen stream that is taken is not answered before it ends.
  void server.close();
  return JSON.parse((await answer) ?? '{}') as {
    result?: UnknownObject;
    error?: { code: number; data: unknown };
  };
}

const city = { name: 'city', value: '' };
const id = { name: 'id', value: '' };
const operations: [string, Asked][] = [
  ['a tool is called', { method: 'tools/call', params: { name: 'write', arguments: { city: 'Oslo' } } }],
  [
    'a tool is called with what it refuses',
    { method: 'tools/call', params: { name: 'write', arguments: { city: 5 } } },
  ],
  ['a prompt is got', { method: 'prompts/get', params: { name: 'write' } }],
  ['a resource is read', { method: 'resources/read', params: { uri: 'a://write' } }],
  ['a resource of a template is read', { method: 'resources/read', params: { uri: 'b://1' } }],
  [
    'an argument is completed',
    { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'write' }, argument: city } },
  ],
  [
    'a variable is completed',
    {
      method: 'completion/complete',
      params: { ref: { type: 'ref/resource', uri: 'b://{id}' }, argument: id },
    },
  ],
  [
    'somebody listens to resources',
    {
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['a://open', 'a://write', 'b://1'] } },
    },
  ],
];

describe.each(operations)('when %s that takes scopes', (_title, asked) => {
  test.each<[string, readonly string[] | undefined]>([
    ['one', ['notes:read', 'other']],
    ['a part of one', ['notes:read', 'notes:writer', 'notes']],
    ['all', []],
    ['all, for none are known', undefined],
    ['all, for what he has is no list', 'notes:read notes:write' as never],
  ])('a caller who lacks %s is told of all, and nothing runs', async (_lacks, granted) => {
    const ran: string[] = [];
    const as = exchangeOf({ id: 'ann', ...(granted && { scopes: granted }) });
    const { error } = await ask(scopedServer(ran), asked, as);
    expect(error).toMatchObject({ code: -31003, data: { requiredScopes: scopes } });
    expect(as.lacking).toEqual([scopes]);
    expect(ran).toEqual([]);
  });

  test('a caller who was asked and did not say who he is has none', async () => {
    const as = exchangeOf(undefined, true);
    expect((await ask(scopedServer(), asked, as)).error?.code).toBe(-31003);
    expect(as.lacking).toEqual([scopes]);
  });

  test.each([
    ['has them among others', { id: 'ann', scopes: ['x', ...scopes, 'y'] }],
    ['nobody asks', undefined],
  ])('it is done for a caller whom %s', async (_what, principal) => {
    const as = exchangeOf(principal);
    expect((await ask(scopedServer(), asked, as)).error?.code).not.toBe(-31003);
    expect(as.lacking).toEqual([]);
  });
});

test('what takes scopes is listed to all, so that they can ask for them; what a template lists, to those who have them', async () => {
  const server = scopedServer();
  const names = async (method: string, granted: string[]) =>
    JSON.stringify(
      (await ask(server, { method, params: {} }, exchangeOf({ id: 'ann', scopes: granted }))).result,
    );
  expect(await names('tools/list', [])).toContain('"write"');
  expect(await names('prompts/list', [])).toContain('"write"');
  expect(await names('resources/list', [])).toContain('a://write');
  expect(await names('resources/list', [])).not.toContain('b://1');
  expect(await names('resources/list', scopes)).toContain('b://1');
});

test('what takes scopes to read is never for shared caches', async () => {
  const asked = { method: 'resources/read', params: { uri: 'a://write' } };
  for (const principal of [{ id: 'ann', scopes }, undefined])
    expect((await ask(scopedServer(), asked, exchangeOf(principal))).result).toMatchObject({
      ttlMs: 5,
      cacheScope: 'private',
    });
});

test('a session subscribes to what its caller has the scopes for', async () => {
  const server = scopedServer();
  const subscribe = async (principal: Principal) => {
    const { exchange, lacking } = exchangeOf(principal);
    const connection = { ...exchange, start: () => undefined, close: async () => undefined };
    const endpoint = server.accept(connection);
    const request = async (method: string, params: object) =>
      JSON.parse((await endpoint.receive({ jsonrpc: '2.0', id: method, method, params }, connection)) ?? '');
    const clientInfo = { name: 'peer', version: '1' };
    await request('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
    const { error } = await request('resources/subscribe', { uri: 'b://1' });
    return [error?.code, lacking];
  };
  expect(await subscribe({ id: 'ann', scopes: ['notes:read'] })).toEqual([-31003, [scopes]]);
  expect(await subscribe({ id: 'ann', scopes })).toEqual([undefined, []]);
  await server.close();
});

test.each([
  ['where all resources are for everybody', {}],
  ['where another resource is not for everybody', { visible: () => true }],
])('a session hears no more of a resource that takes scopes since: %s', async (_, guarded) => {
  const server = createServer({ name: 'test', version: '1' }) as unknown as Server;
  server.resource('a://guarded', guarded, () => 'x').resource('a://x', {}, () => 'x');
  const told = async (granted: readonly string[]) => {
    const sent: string[] = [];
    const { exchange } = exchangeOf({ id: 'ann', scopes: granted });
    const send = (frame: string) => void sent.push(JSON.parse(frame).method);
    const connection = { ...exchange, send, start: () => undefined, close: async () => undefined };
    const endpoint = server.accept(connection);
    const request = (method: string, params: object) =>
      endpoint.receive({ jsonrpc: '2.0', id: method, method, params }, connection);
    const clientInfo = { name: 'peer', version: '1' };
    await request('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
    void endpoint.receive({ jsonrpc: '2.0', method: 'notifications/initialized' }, connection);
    await request('resources/subscribe', { uri: 'a://x' });
    return sent;
  };
  const [without, having] = [await told([]), await told(scopes)];
  server.removeResource('a://x');
  server.resource('a://x', { scopes }, () => 'x');
  server.resourceUpdated('a://x');
  await new Promise((resolve) => setImmediate(resolve));
  expect(having).toContain('notifications/resources/updated');
  expect(without).not.toContain('notifications/resources/updated');
  await server.close();
});

describe('requireScopes', () => {
  const calling = async (granted: string[] | undefined, ...required: string[][]) => {
    const server = createServer({ name: 'test', version: '1' }, { onError: () => undefined });
    server.tool('move', { scopes: ['base'] }, (_, ctx) => {
      for (const some of required) ctx.requireScopes(...some);
      return 'moved';
    });
    const as = exchangeOf(granted && { id: 'ann', scopes: granted });
    const answer = await ask(server as never, { method: 'tools/call', params: { name: 'move' } }, as);
    return { ...answer, lacking: as.lacking };
  };

  test('asks for what depends on the arguments, and for what the tool takes anyway', async () => {
    const { error, lacking } = await calling(['base'], ['a', 'b']);
    expect(error?.code).toBe(-31003);
    expect(lacking).toEqual([['base', 'a', 'b']]);
  });

  test('asks for what was required before as well', async () => {
    const { lacking } = await calling(['base', 'a'], ['a'], ['b', 'a']);
    expect(lacking).toEqual([['base', 'a', 'b']]);
  });

  test.each([[['base', 'a', 'b']], [undefined]])('lets callers with %j pass', async (granted) => {
    const { result, lacking } = await calling(granted, ['a', 'b'], []);
    expect(result).toMatchObject({ content: [{ text: 'moved' }] });
    expect(lacking).toEqual([]);
  });

  test('takes no texts that are no scopes, whoever is calling', async () => {
    expect((await calling(undefined, ['a b'])).result).toMatchObject({ isError: true });
  });
});
