import { type Exchange, type Principal, serverPort } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { handshakeRevisions, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';
import { Audience, type Change } from './audience.js';

const info = { name: 'test', version: '1' };
const staff = (principal: Principal | undefined) => principal?.id === 'ann';
const icon = { src: 'https://example.com/a.png' };

function full() {
  const input = { type: 'object', properties: { city: { type: 'string' } } } as const;
  return createServer(info)
    .tool('kept', { description: 'Same', input, icons: [icon] }, () => 'x')
    .prompt('kept', { title: 'Same' }, () => 'x')
    .resource('a://kept', { title: 'Same' }, () => 'x')
    .resource('a://{kept}', { title: 'Same' }, () => 'x');
}

/** All messages that a peer received after some changes in one turn. */
async function notifiedOf(change: (server: Server) => void): Promise<(string | undefined)[]> {
  const server = full() as Server;
  const peer = await WirePeer.open(server, latestHandshake);
  change(server);
  await peer.request('ping');
  return peer.received.filter((one) => one.method !== undefined).map((one) => one.method);
}

describe('a list has changed', () => {
  const input = () => ({ type: 'object', properties: { city: { type: 'string' } } }) as const;

  test.each<[string, (server: Server) => void]>([
    [
      'a tool taken out and registered the same',
      (server) => {
        server.removeTool('kept');
        server.tool('kept', { description: 'Same', input: input(), icons: [{ ...icon }] }, () => 'other');
      },
    ],
    [
      'a prompt taken out and registered the same',
      (server) => {
        server.removePrompt('kept');
        server.prompt('kept', { title: 'Same' }, () => 'other');
      },
    ],
    [
      'a resource taken out and registered the same',
      (server) => {
        server.removeResource('a://kept');
        server.resource('a://kept', { title: 'Same' }, () => 'other');
      },
    ],
    [
      'a template taken out and registered the same',
      (server) => {
        server.removeResource('a://{kept}');
        server.resource('a://{kept}', { title: 'Same' }, () => 'other');
      },
    ],
    [
      'something registered and taken out at once',
      (server) => {
        server.tool('brief', {}, () => 'x');
        server.removeTool('brief');
      },
    ],
    ['something taken out that was not there', (server) => server.removeTool('other')],
    [
      'a registration that was refused',
      (server) => {
        expect(() => server.tool('kept', {}, () => 'x')).toThrow('already');
      },
    ],
    [
      'something replaced twice, and the same in the end',
      (server) => {
        for (const description of ['Other', 'Same']) {
          server.removeTool('kept');
          server.tool('kept', { description, input: input(), icons: [icon] }, () => 'x');
        }
      },
    ],
  ])('not after %s', async (_, change) => {
    expect(await notifiedOf(change)).toEqual([]);
  });

  test.each<[string, string, (server: Server) => void]>([
    ['a tool came', 'tools', (server) => server.tool('new', {}, () => 'x')],
    ['a tool went', 'tools', (server) => server.removeTool('kept')],
    ['a prompt went', 'prompts', (server) => server.removePrompt('kept')],
    ['a resource came', 'resources', (server) => server.resource('a://new', {}, () => 'x')],
    ['a template went', 'resources', (server) => server.removeResource('a://{kept}')],
    [
      'a tool says something else of itself',
      'tools',
      (server) => {
        server.removeTool('kept');
        server.tool('kept', { description: 'Other' }, () => 'x');
      },
    ],
    [
      'a resource took the name of a template',
      'resources',
      (server) => {
        server.removeResource('a://{kept}');
        server.resource('a://{other}', { title: 'Same' }, () => 'x');
      },
    ],
    [
      'a hundred tools came and one changed',
      'tools',
      (server) => {
        for (let index = 0; index < 100; index++) server.tool(`new-${index}`, {}, () => 'x');
        server.removeTool('kept');
      },
    ],
  ])('once when %s', async (_, list, change) => {
    expect(await notifiedOf(change)).toEqual([`notifications/${list}/list_changed`]);
  });

  test('whatever its entries say, when the author says so', async () => {
    const reports = await notifiedOf((server) => {
      server.resourceListChanged();
      server.removeResource('a://kept');
      server.resource('a://kept', { title: 'Same' }, () => 'x');
    });
    expect(reports).toEqual(['notifications/resources/list_changed']);
  });
});

/** The peers, of a guest and a staff member, that are notified of a change of one tool. */
async function notified(change: (server: Server) => void, server: Server): Promise<string[]> {
  const reports = new Set<string>();
  for (const principal of [undefined, { id: 'ann' }]) {
    const exchange: Exchange = {
      facts: principal === undefined ? {} : { principal },
      send: (frame: string) => {
        if (frame.includes('tools/list_changed')) reports.add(principal?.id ?? 'guest');
      },
    };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': latestStateless.id,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta };
    void server[serverPort].answer(
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      exchange,
    );
  }
  change(server);
  await undefined;
  await server.close();
  return [...reports];
}

const replaced = (server: Server, options: object) => {
  server.removeTool('one');
  server.tool('one', options, () => 'x');
};

test.each<[string, [before: object, after: object], string[]]>([
  ['shown to all, then to the staff alone', [{}, { visible: staff }], ['guest']],
  ['shown to the staff alone, then to all', [{ visible: staff }, {}], ['guest']],
  ['shown to the staff as before', [{ visible: staff }, { visible: staff }], []],
  [
    'shown to the same by another rule',
    [{ visible: staff }, { visible: (who?: Principal) => staff(who) }],
    [],
  ],
  ['with a new title for the staff', [{ visible: staff }, { visible: staff, title: 'New' }], ['ann']],
  ['with a new title, for the staff only', [{}, { visible: staff, title: 'New' }], ['guest', 'ann']],
])('notifies of a tool %s those callers that see a changed list', async (_, [before, after], heard) => {
  const server = createServer(info).tool('one', before, () => 'x') as Server;
  expect(await notified((all) => replaced(all, after), server)).toEqual(heard);
});

test('compares no entries without listeners', async () => {
  const reported: unknown[] = [];
  const audience = new Audience((error) => reported.push(error));
  const definition = {
    toJSON() {
      throw new Error('compared');
    },
  };
  const entry = { definition, visible: undefined };
  const change: Change = { method: 'notifications/tools/list_changed' };
  audience.entryChanged(change, { name: 'x', before: entry, after: undefined });
  audience.entryChanged(change, { name: 'x', before: undefined, after: entry });
  await new Promise((resolve) => setImmediate(resolve));
  expect(reported).toEqual([]);
});

test('notifies of an entry that cannot be serialized, and reports the error', async () => {
  const reported: unknown[] = [];
  const audience = new Audience((error) => reported.push(error));
  const frames: string[] = [];
  const listener = {
    revision: latestHandshake,
    principal: undefined,
    subscriptions: [],
    declares: () => false,
    wants: () => true,
  };
  audience.add({ ...listener, send: (frame) => frames.push(frame) });
  const entry = { definition: { size: 1n }, visible: undefined };
  const change: Change = { method: 'notifications/tools/list_changed' };
  audience.entryChanged(change, { name: 'x', before: entry, after: undefined });
  audience.entryChanged(change, { name: 'x', before: undefined, after: { ...entry } });
  await undefined;
  expect(frames).toHaveLength(1);
  expect(reported).toEqual([expect.any(TypeError)]);
});

test.each<[string, (audience: Audience, change: Change) => void, number]>([
  ['announced here', (audience, change) => audience.announce(change), 1],
  ['received', (audience, change) => audience.receive(change), 0],
  [
    'announced here, then received',
    (audience, change) => {
      audience.announce(change);
      audience.receive(change);
    },
    1,
  ],
  [
    'received, then made here',
    (audience, change) => {
      audience.receive(change);
      const entry = { definition: {}, visible: undefined };
      audience.entryChanged(change, { name: 'x', before: entry, after: undefined });
    },
    1,
  ],
])(
  'a change that is %s in one turn is sent to other processes if it is of this one',
  async (_, act, sent) => {
    const audience = new Audience(() => {});
    const relayed: Change[] = [];
    const frames: string[] = [];
    audience.relayTo({ isServing: true, send: (change) => relayed.push(change) });
    const listener = { revision: latestHandshake, principal: undefined, subscriptions: [] };
    audience.add({
      ...listener,
      declares: () => false,
      wants: () => true,
      send: (frame) => frames.push(frame),
    });
    act(audience, { method: 'notifications/tools/list_changed' });
    await undefined;
    expect(relayed).toHaveLength(sent);
    expect(frames).toHaveLength(1);
  },
);

describe.each(handshakeRevisions)('a session of $id', (revision) => {
  /** A request in nothing but its own words. */
  const ask = (peer: WirePeer, method: string, params: object = {}) => {
    peer.raw({ jsonrpc: '2.0', id: method, method, params });
    return peer.next(({ id }) => id === method);
  };
  /** A peer that has sent no message since its handshake. */
  async function unready(server: Server): Promise<WirePeer> {
    const peer = await WirePeer.open(server, latestStateless);
    const clientInfo = { name: 'peer', version: '1' };
    await ask(peer, 'initialize', { protocolVersion: revision.id, capabilities: {}, clientInfo });
    return peer;
  }
  const said = (peer: WirePeer) => peer.received.flatMap(({ method }) => method ?? []);
  const changed = ['notifications/tools/list_changed'];

  test('receives no change before notifications/initialized, and each change after it', async () => {
    const server = full() as Server;
    const peer = await unready(server);
    const ready = await WirePeer.open(server, revision);
    await ready.request('ping');
    server.tool('early', {}, () => 'x');
    await ready.heard('notifications/tools/list_changed');
    peer.notify('notifications/initialized');
    await ask(peer, 'ping');
    expect(said(peer)).toEqual([]);
    server.tool('late', {}, () => 'x');
    await peer.heard('notifications/tools/list_changed');
    expect(said(peer)).toEqual(changed);
  });

  test('that never says so is taken at its first request', async () => {
    const server = full() as Server;
    const peer = await unready(server);
    await ask(peer, 'tools/list');
    server.tool('late', {}, () => 'x');
    await peer.heard('notifications/tools/list_changed');
    expect(said(peer)).toEqual(changed);
  });

  test('receives log messages before', async () => {
    const server = full() as Server;
    const peer = await unready(server);
    server.log('error', 'Fire');
    expect((await peer.heard('notifications/message')).params?.data).toBe('Fire');
  });
});
