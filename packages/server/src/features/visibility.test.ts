import { type Exchange, MetaKey, type Principal, serverPort, type UnknownObject } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestHandshake, latestStateless } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

const info = { name: 'test', version: '1' };
const ann: Principal = { id: 'ann' };
const visible = (principal: Principal | undefined) => principal?.id === 'ann';

/** One of each kind that everybody sees, and one that only Ann sees, with everything it can have. */
function guardedServer(ran: string[] = []): Server {
  const noted =
    <T>(what: string, value: T) =>
    () => {
      ran.push(what);
      return value;
    };
  const args = { type: 'object', properties: { city: { type: 'string' } } } as const;
  const input = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
  return createServer(info, { limits: { pageSize: 1 }, cache: { lists: 1_000 } })
    .tool('open', {}, noted('open tool', 'x'))
    .tool('hidden', { visible, input }, noted('hidden tool', 'x'))
    .prompt('open', { args, complete: { city: noted('open completer', ['Oslo']) } }, () => 'x')
    .prompt(
      'hidden',
      { visible, args, complete: { city: noted('hidden completer', ['Oslo']) } },
      noted('hidden prompt', 'x'),
    )
    .resource('a://open', {}, () => 'x')
    .resource('a://hidden', { visible, cache: { ttlMs: 5, cacheScope: 'public' } }, noted('hidden read', 'x'))
    .resource('b://open/{id}', { complete: { id: () => ['1'] } }, () => 'x')
    .resource(
      'b://hidden/{id}',
      {
        visible,
        complete: { id: noted('hidden variable', ['1']) },
        list: noted('hidden list', [{ uri: 'b://hidden/1', name: '1' }]),
      },
      noted('hidden template', 'x'),
    ) as unknown as Server;
}

interface Answer {
  readonly result?: UnknownObject & { readonly nextCursor?: string };
  readonly error?: { readonly code: number };
}

const stamp = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };

function exchangeOf(principal: Principal | undefined, frames: string[] = []): Exchange {
  return { facts: principal === undefined ? {} : { principal }, send: (frame) => void frames.push(frame) };
}

async function ask(
  server: Server,
  { method, params, as }: { method: string; params: object; as: Principal | undefined },
): Promise<Answer> {
  const request = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: stamp } };
  return JSON.parse((await server[serverPort].answer(request, exchangeOf(as))) ?? '{}');
}

const city = { name: 'city', value: '' };
const id = { name: 'id', value: '' };

/** Every request that names something, for something hidden and for something that is not there at all. */
const naming: [string, string, (name: string) => object, ...string[]][] = [
  [
    'a tool is called',
    'tools/call',
    (name) => ({ name, arguments: { city: 'Oslo' } }),
    '2024-11-05/server/tools/access-controls',
  ],
  ['a tool is called with arguments it refuses', 'tools/call', (name) => ({ name, arguments: { city: 5 } })],
  ['a tool is called with forged state', 'tools/call', (name) => ({ name, requestState: 'x' })],
  ['a prompt is got', 'prompts/get', (name) => ({ name })],
  [
    'a prompt is got with arguments it refuses',
    'prompts/get',
    (name) => ({ name, arguments: { nope: 'x' } }),
  ],
  [
    'a prompt’s argument is completed',
    'completion/complete',
    (name) => ({ ref: { type: 'ref/prompt', name }, argument: city }),
    '2024-11-05/server/utilities/completion/access-controlled',
  ],
  [
    'a prompt’s argument is completed that it does not have',
    'completion/complete',
    (name) => ({ ref: { type: 'ref/prompt', name }, argument: { name: 'nope', value: '' } }),
  ],
  [
    'a resource is read',
    'resources/read',
    (name) => ({ uri: `a://${name}` }),
    '2024-11-05/server/resources/access-controls',
  ],
  ['a resource of a template is read', 'resources/read', (name) => ({ uri: `b://${name}/1` })],
  [
    'a template’s variable is completed',
    'completion/complete',
    (name) => ({ ref: { type: 'ref/resource', uri: `b://${name}/{id}` }, argument: id }),
    '2024-11-05/server/utilities/completion/access-controlled',
  ],
  [
    'a resource is named for completion',
    'completion/complete',
    (name) => ({ ref: { type: 'ref/resource', uri: `a://${name}` }, argument: id }),
  ],
];

describe('a hidden entry is answered like an unknown one', () => {
  test.each(naming)('when %s', async (...[, method, params, ...ids]) => {
    shows(...ids);
    const ran: string[] = [];
    const server = guardedServer(ran);
    const answers = [];
    for (const as of [undefined, { id: 'bob' }]) {
      const hidden = await ask(server, { method, params: params('hidden'), as });
      const absent = await ask(server, { method, params: params('absent'), as });
      expect(JSON.parse(JSON.stringify(hidden).replaceAll('hidden', 'absent'))).toEqual(absent);
      expect(absent.error?.code).toBe(-32602);
      answers.push(hidden);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(ran).toEqual([]);
  });

  test.each(naming.filter(([what]) => !/refuses|forged|not have/.test(what)))(
    'ignores visibility when %s',
    async (_, method, params) => {
      expect(
        (await ask(guardedServer(), { method, params: params('hidden'), as: ann })).error,
      ).toBeUndefined();
    },
  );
});

const lists = [
  ['tools/list', 'tools', 'name', ['open'], ['open', 'hidden']],
  ['prompts/list', 'prompts', 'name', ['open'], ['open', 'hidden']],
  ['resources/list', 'resources', 'uri', ['a://open'], ['a://open', 'a://hidden', 'b://hidden/1']],
  [
    'resources/templates/list',
    'resourceTemplates',
    'uriTemplate',
    ['b://open/{id}'],
    ['b://open/{id}', 'b://hidden/{id}'],
  ],
] as const;

/** Reads a list page by page, and returns its items and the cache scopes of its pages. */
async function walk(server: Server, [method, member, key]: readonly string[], as: Principal | undefined) {
  const items: unknown[] = [];
  const scopes: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await ask(server, { method: method ?? '', params: { ...(cursor && { cursor }) }, as });
    const page = (result?.[member ?? ''] ?? []) as UnknownObject[];
    for (const item of page) items.push(item[key ?? '']);
    scopes.push(result?.cacheScope);
    cursor = result?.nextCursor;
  } while (cursor !== undefined);
  return { items, scopes };
}

describe('a list', () => {
  test.each(lists)(
    '%s shows each caller what it may see, and every page is the caller’s own',
    async (...row) => {
      const [, , , forAll, forAnn] = row;
      const path = row.slice(0, 3) as string[];
      const server = guardedServer();
      for (let time = 0; time < 2; time++) {
        const guest = await walk(server, path, undefined);
        const staff = await walk(server, path, ann);
        expect([guest.items, staff.items]).toEqual([forAll, forAnn]);
        expect(new Set([...guest.scopes, ...staff.scopes])).toEqual(new Set(['private']));
      }
    },
  );

  test.each(lists)('%s is for everybody, on all its pages, when nothing is hidden', async (...row) => {
    const server = guardedServer();
    server.removeTool('hidden');
    server.removePrompt('hidden');
    server.removeResource('a://hidden');
    server.removeResource('b://hidden/{id}');
    server.tool('more', {}, () => 'x').prompt('more', {}, () => 'x');
    server.resource('a://more', {}, () => 'x').resource('b://more/{id}', {}, () => 'x');
    const { items, scopes } = await walk(server, row.slice(0, 3) as string[], undefined);
    expect(items).toHaveLength(2);
    expect(scopes).toEqual(['public', 'public']);
  });

  test.each(lists)('%s makes nothing known of what is hidden by its cursors', async (...row) => {
    const [method] = row;
    const server = guardedServer();
    const { result } = await ask(server, { method, params: {}, as: ann });
    const asGuest = await ask(server, { method, params: { cursor: result?.nextCursor }, as: undefined });
    expect(JSON.stringify(asGuest)).not.toContain('hidden');
    expect(asGuest.error).toBeUndefined();
  });
});

test('a read of a resource with visibility is private', async () => {
  const { result } = await ask(guardedServer(), {
    method: 'resources/read',
    params: { uri: 'a://hidden' },
    as: ann,
  });
  expect(result).toMatchObject({ ttlMs: 5, cacheScope: 'private' });
});

test('accepts subscriptions to hidden and absent resources, and notifies only callers that see the resource', async () => {
  const server = guardedServer();
  const uris = ['a://hidden', 'b://hidden/1', 'a://open'];
  const notified = new Map<Principal | undefined, string[]>([
    [undefined, []],
    [ann, []],
  ]);
  for (const [principal, frames] of notified) {
    const params = { notifications: { resourceSubscriptions: uris }, _meta: stamp };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    void server[serverPort].answer(listen, exchangeOf(principal, frames));
  }
  for (const uri of uris) server.resourceUpdated(uri);
  await undefined;
  const [guest, staff] = [...notified.values()].map((frames) =>
    frames.map((frame) => JSON.parse(frame).params),
  );
  expect(guest?.[0]?.notifications).toEqual({ resourceSubscriptions: uris });
  expect(guest?.slice(1).map((one) => one.uri)).toEqual(['a://open']);
  expect(staff?.slice(1).map((one) => one.uri)).toEqual(uris);
  await server.close();
});

test('accepts a subscription to a hidden resource, and sends no updates of it', async () => {
  const server = guardedServer();
  const notified = new Map<Principal | undefined, string[]>([
    [undefined, []],
    [ann, []],
  ]);
  for (const [principal, frames] of notified) {
    const { facts, send } = exchangeOf(principal, frames);
    const connection = { facts, send, start: () => undefined, close: async () => undefined };
    const endpoint = server[serverPort].accept(connection);
    const request = async (method: string, params: object) => {
      const answer = await endpoint.receive({ jsonrpc: '2.0', id: method, method, params }, connection);
      return JSON.parse(answer ?? '');
    };
    const clientInfo = { name: 'peer', version: '1' };
    await request('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
    for (const uri of ['a://open', 'a://hidden', 'b://hidden/1', 'a://absent'])
      expect((await request('resources/subscribe', { uri })).result).toEqual({});
  }
  for (const uri of ['a://hidden', 'b://hidden/1', 'a://open']) server.resourceUpdated(uri);
  await undefined;
  const heard = [...notified.values()].map((frames) => frames.map((frame) => JSON.parse(frame).params.uri));
  expect(heard).toEqual([['a://open'], ['a://hidden', 'b://hidden/1', 'a://open']]);
  await server.close();
});

test('a hidden resource is not reached, or listed, by a template that fits its URI', async () => {
  const server = createServer(info)
    .resource('a://hidden', { visible }, () => 'secret')
    .resource('a://{id}', { list: () => [{ uri: 'a://hidden', name: 'x' }] }, () => 'of the template');
  const read = (as: Principal | undefined) =>
    ask(server, { method: 'resources/read', params: { uri: 'a://hidden' }, as });
  const listed = (as: Principal | undefined) => ask(server, { method: 'resources/list', params: {}, as });
  expect((await read(undefined)).error).toBeDefined();
  expect((await listed(undefined)).result?.resources).toEqual([]);
  expect((await read(ann)).result?.contents).toMatchObject([{ text: 'secret' }]);
  expect((await listed(ann)).result?.resources).toMatchObject([{ uri: 'a://hidden' }]);
});
