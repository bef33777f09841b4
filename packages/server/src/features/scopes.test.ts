import { type Exchange, MetaKey, type Principal, serverPort, type UnknownObject } from '@tenon/mcp-protocol';
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
    scopesLacking: (answersFor) => void lacking.push(answersFor),
  };
  return { exchange, lacking };
}

interface RequestedInput {
  readonly method: string;
  readonly params: object;
}

async function ask(server: Server, { method, params }: RequestedInput, as: ReturnType<typeof exchangeOf>) {
  const request = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: stamp } };
  const answer = server[serverPort].answer(request, as.exchange);
  // A listen stream that is taken is not answered before it ends.
  void server.close();
  return JSON.parse((await answer) ?? '{}') as {
    result?: UnknownObject;
    error?: { code: number; data: unknown };
  };
}

const city = { name: 'city', value: '' };
const id = { name: 'id', value: '' };
const operations: [string, RequestedInput][] = [
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
    ['the whole of one', ['notes:read', 'notes:writer', 'notes']],
    ['any', []],
    ['any, because none are known', undefined],
    ['any, because the scopes are not a list', 'notes:read notes:write' as never],
  ])('a caller without %s receives all needed scopes, and no handler runs', async (_lacks, granted) => {
    const ran: string[] = [];
    const as = exchangeOf({ id: 'ann', ...(granted && { scopes: granted }) });
    const { error } = await ask(scopedServer(ran), asked, as);
    expect(error).toMatchObject({ code: -31003, data: { requiredScopes: scopes } });
    expect(as.lacking).toEqual([scopes]);
    expect(ran).toEqual([]);
  });

  test('an anonymous caller has no scopes when the guard admits them', async () => {
    const as = exchangeOf(undefined, true);
    expect((await ask(scopedServer(), asked, as)).error?.code).toBe(-31003);
    expect(as.lacking).toEqual([scopes]);
  });

  test.each([
    ['with them among others', { id: 'ann', scopes: ['x', ...scopes, 'y'] }],
    ['without authentication', undefined],
  ])('runs for a caller %s', async (_what, principal) => {
    const as = exchangeOf(principal);
    expect((await ask(scopedServer(), asked, as)).error?.code).not.toBe(-31003);
    expect(as.lacking).toEqual([]);
  });
});

test('lists entries with scopes to all callers, and resources of a template to callers with its scopes', async () => {
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

test('a resource with scopes is never public', async () => {
  const asked = { method: 'resources/read', params: { uri: 'a://write' } };
  for (const principal of [{ id: 'ann', scopes }, undefined])
    expect((await ask(scopedServer(), asked, exchangeOf(principal))).result).toMatchObject({
      ttlMs: 5,
      cacheScope: 'private',
    });
});

test('a session subscribes only to resources for which its caller has the scopes', async () => {
  const server = scopedServer();
  const subscribe = async (principal: Principal) => {
    const { exchange, lacking } = exchangeOf(principal);
    const connection = { ...exchange, start: () => undefined, close: async () => undefined };
    const endpoint = server[serverPort].accept(connection);
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
])('stops notifying a session of a resource that now needs scopes: %s', async (_, guarded) => {
  const server = createServer({ name: 'test', version: '1' }) as unknown as Server;
  server.resource('a://guarded', guarded, () => 'x').resource('a://x', {}, () => 'x');
  const answersFor = async (granted: readonly string[]) => {
    const sent: string[] = [];
    const { exchange } = exchangeOf({ id: 'ann', scopes: granted });
    const send = (frame: string) => void sent.push(JSON.parse(frame).method);
    const connection = { ...exchange, send, start: () => undefined, close: async () => undefined };
    const endpoint = server[serverPort].accept(connection);
    const request = (method: string, params: object) =>
      endpoint.receive({ jsonrpc: '2.0', id: method, method, params }, connection);
    const clientInfo = { name: 'peer', version: '1' };
    await request('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
    void endpoint.receive({ jsonrpc: '2.0', method: 'notifications/initialized' }, connection);
    await request('resources/subscribe', { uri: 'a://x' });
    return sent;
  };
  const [without, having] = [await answersFor([]), await answersFor(scopes)];
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

  test('requires scopes that depend on the arguments, and those of the tool', async () => {
    const { error, lacking } = await calling(['base'], ['a', 'b']);
    expect(error?.code).toBe(-31003);
    expect(lacking).toEqual([['base', 'a', 'b']]);
  });

  test('requests the earlier scopes as well', async () => {
    const { lacking } = await calling(['base', 'a'], ['a'], ['b', 'a']);
    expect(lacking).toEqual([['base', 'a', 'b']]);
  });

  test.each([[['base', 'a', 'b']], [undefined]])('lets callers with %j pass', async (granted) => {
    const { result, lacking } = await calling(granted, ['a', 'b'], []);
    expect(result).toMatchObject({ content: [{ text: 'moved' }] });
    expect(lacking).toEqual([]);
  });

  test('rejects malformed scopes for every caller', async () => {
    expect((await calling(undefined, ['a b'])).result).toMatchObject({ isError: true });
  });
});
