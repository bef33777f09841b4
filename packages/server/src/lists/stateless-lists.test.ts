import { describe, expect, onTestFinished, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { HttpPeer } from '../../test/http-peer.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { serveHttp } from '../http.js';
import { createServer, type Server } from '../server.js';

const info = { name: 'test', version: '1' };
const forAnn = (principal: { readonly id: string } | undefined) => principal?.id === 'ann';

interface Feature {
  readonly method: string;
  readonly member: string;
  readonly declare: 'tools' | 'prompts' | 'resources';
  add(server: Server, name: string, visible?: typeof forAnn): void;
  remove(server: Server, name: string): void;
  /** Returns the name of an entry for clients. */
  nameOf(name: string): string;
}

const features: readonly Feature[] = [
  {
    method: 'tools/list',
    member: 'tools',
    declare: 'tools',
    add: (server, name, visible) =>
      void server.tool(name, visible === undefined ? {} : { visible }, () => 'x'),
    remove: (server, name) => void server.removeTool(name),
    nameOf: (name) => name,
  },
  {
    method: 'prompts/list',
    member: 'prompts',
    declare: 'prompts',
    add: (server, name, visible) =>
      void server.prompt(name, visible === undefined ? {} : { visible }, () => 'x'),
    remove: (server, name) => void server.removePrompt(name),
    nameOf: (name) => name,
  },
  {
    method: 'resources/list',
    member: 'resources',
    declare: 'resources',
    add: (server, name, visible) =>
      void server.resource(`a://${name}`, visible === undefined ? {} : { visible }, () => 'x'),
    remove: (server, name) => void server.removeResource(`a://${name}`),
    nameOf: (name) => `a://${name}`,
  },
];

/** Everything one server may be asked for, with what it calls and changes. */
function busy(): Server {
  const server = createServer(info) as unknown as Server;
  for (const one of features) for (const name of ['c', 'a', 'b']) one.add(server, name);
  return server;
}

const others: readonly (readonly [string, object])[] = [
  ['tools/call', { name: 'a' }],
  ['prompts/get', { name: 'a' }],
  ['resources/read', { uri: 'a://a' }],
  ['tools/call', { name: 'unknown' }],
  ['server/discover', {}],
];

async function served(server: Server, options: Parameters<typeof serveHttp>[1] = {}) {
  const serving = await serveHttp(server, { limits: { drain: 100 }, ...options });
  onTestFinished(() => serving.close());
  return () => HttpPeer.open(serving.url, { revision });
}

describe.each(features)('$method', ({ method, member, declare, add, remove, nameOf }) => {
  const names = (result: unknown) =>
    (result as Record<string, { name?: string; uri?: string }[]>)[member]?.map((one) => one.uri ?? one.name);

  test('of a server that declared the feature and has nothing is empty', async () => {
    showsBy(method, {
      'prompts/list': '2026-07-28/server/prompts/list-empty',
      'resources/list': '2026-07-28/server/resources/list-empty',
      'tools/list': '2026-07-28/server/tools/list-empty',
    });
    const peer = await WirePeer.open(createServer(info, { declare: [declare] }), revision);
    expect(names((await peer.request(method)).result)).toEqual([]);
  });

  test('shows what was added and taken out since', async () => {
    showsBy(method, {
      'prompts/list': '2026-07-28/server/prompts/list-changes',
      'resources/list': '2026-07-28/server/resources/list-changes',
      'tools/list': [
        '2026-07-28/server/tools/list-changes',
        '2026-07-28/server/utilities/caching/data-changes',
      ],
    });
    const server = createServer(info) as unknown as Server;
    add(server, 'first');
    const peer = await WirePeer.open(server, revision);
    expect(names((await peer.request(method)).result)).toEqual([nameOf('first')]);
    add(server, 'second');
    remove(server, 'first');
    expect(names((await peer.request(method)).result)).toEqual([nameOf('second')]);
  });

  test('is the same on every connection and after any other request', async () => {
    showsBy(method, {
      'prompts/list': '2026-07-28/server/prompts/list-not-per-connection',
      'resources/list': '2026-07-28/server/resources/list-not-per-connection',
      'tools/list': [
        '2026-07-28/server/tools/list-not-per-connection',
        '2026-07-28/server/tools/deterministic-order',
      ],
    });
    const server = busy();
    const [one, other] = [await WirePeer.open(server, revision), await WirePeer.open(server, revision)];
    const before = (await one.request(method)).result;
    for (const [asked, params] of others) await one.request(asked, params);
    one.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await one.heard('notifications/subscriptions/acknowledged');
    expect((await one.request(method)).result).toEqual(before);
    expect((await other.request(method)).result).toEqual(before);
    expect(names(before)).toEqual(['c', 'a', 'b'].map(nameOf));
  });

  test('is the same on every connection over HTTP', async () => {
    showsBy(method, {
      'prompts/list': '2026-07-28/server/prompts/list-not-per-connection',
      'resources/list': '2026-07-28/server/resources/list-not-per-connection',
      'tools/list': '2026-07-28/server/tools/list-not-per-connection',
    });
    const open = await served(busy());
    const [one, other] = [await open(), await open()];
    const before = (await one.request(method)).result;
    for (const [asked, params] of others) await one.request(asked, { ...params });
    expect((await one.request(method)).result).toEqual(before);
    expect((await other.request(method)).result).toEqual(before);
  });

  test('may differ by who asks', async () => {
    showsBy(method, {
      'prompts/list': '2026-07-28/server/prompts/list-by-authorization',
      'resources/list': [
        '2026-07-28/server/resources/list-by-authorization',
        '2026-07-28/server/resources/access-controls',
      ],
    });
    const server = createServer(info) as unknown as Server;
    add(server, 'open');
    add(server, 'staff', forAnn);
    const open = await served(server, { authenticate: ({ header }) => ({ id: header('x-who') ?? 'guest' }) });
    const peer = await open();
    const seen = async (who: string) => {
      peer.headers = { 'x-who': who };
      return names((await peer.request(method)).result);
    };
    expect(await seen('bob')).toEqual([nameOf('open')]);
    expect(await seen('ann')).toEqual([nameOf('open'), nameOf('staff')]);
    expect(await seen('bob')).toEqual([nameOf('open')]);
  });
});

describe('what a caller may not see', () => {
  const touched: string[] = [];
  const secret = () =>
    createServer(info)
      .resource('a://{id}', { visible: forAnn, complete: { id: completer } }, () => void touched.push('read'))
      .prompt('p', { visible: forAnn, complete: {} }, () => void touched.push('got') as never)
      .tool('t', { visible: forAnn }, () => void touched.push('called'));
  const completer = () => {
    touched.push('completed');
    return ['secret'];
  };

  test('is not read for them', async () => {
    shows(
      '2026-07-28/server/resources/permissions-first',
      '2026-07-28/server/utilities/caching/access-controls',
      '2026-07-28/server/utilities/caching/not-scope-alone',
    );
    const peer = await WirePeer.open(secret(), revision);
    const hidden = [
      await peer.request('resources/read', { uri: 'a://1' }),
      await peer.request('prompts/get', { name: 'p' }),
      await peer.request('tools/call', { name: 't' }),
    ];
    expect(hidden.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602]);
    expect(touched).toEqual([]);
  });

  test('is not completed for them', async () => {
    shows(
      '2026-07-28/server/utilities/completion/security-access',
      '2026-07-28/server/utilities/completion/security-disclosure',
    );
    const peer = await WirePeer.open(secret(), revision);
    const ask = (uri: string) =>
      peer.request('completion/complete', {
        ref: { type: 'ref/resource', uri },
        argument: { name: 'id', value: '' },
      });
    const [hidden, unknown] = [await ask('a://{id}'), await ask('b://{id}')];
    expect(hidden.error?.code).toBe(-32602);
    expect(hidden.error?.message.replaceAll('a://', 'b://')).toBe(unknown.error?.message);
    expect(touched).toEqual([]);
  });
});

test('completion of a server that completes nothing is not a method', async () => {
  shows('2026-07-28/server/utilities/completion/error-not-supported');
  const peer = await WirePeer.open(
    createServer(info).tool('t', {}, () => 'x'),
    revision,
  );
  const ref = { type: 'ref/prompt', name: 'p' };
  const { error } = await peer.request('completion/complete', { ref, argument: { name: 'a', value: '' } });
  expect(error?.code).toBe(-32601);
});

describe('tools', () => {
  test('without input takes an empty object and no other, and says so', async () => {
    shows('2026-07-28/server/tools/no-parameters');
    const server = createServer(info).tool('none', {}, () => 'ok');
    const peer = await WirePeer.open(server, revision);
    const [tool] = (await peer.request('tools/list')).result?.tools ?? [];
    expect(tool?.inputSchema).toEqual({ type: 'object', additionalProperties: false });
    const refused = await peer.request('tools/call', { name: 'none', arguments: { x: 1 } });
    expect(refused.result?.isError).toBe(true);
  });

  test('names that differ by case alone are names of two tools', async () => {
    shows('2026-07-28/server/tools/name-case');
    const server = createServer(info)
      .tool('run', {}, () => 'small')
      .tool('Run', {}, () => 'large');
    const peer = await WirePeer.open(server, revision);
    const call = async (name: string) =>
      (await peer.request('tools/call', { name })).result?.content?.[0]?.text;
    expect([await call('run'), await call('Run')]).toEqual(['small', 'large']);
    expect((await peer.request('tools/call', { name: 'RUN' })).error?.code).toBe(-32602);
  });

  test.each(['getUser', 'DATA_EXPORT_v2', 'admin.tools.list', 'a', 'x'.repeat(128), 'with-hyphen'])(
    'the examples of names in the specification are names: %s',
    async (name) => {
      shows('2026-07-28/server/tools/name-characters');
      const server = createServer(info).tool(name, {}, () => 'x');
      const peer = await WirePeer.open(server, revision);
      expect((await peer.request('tools/call', { name })).result?.isError).toBe(false);
    },
  );
});
