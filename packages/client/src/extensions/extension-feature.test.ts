import { defineMethod, defineNotification, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, type Script, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { defineExtension, listen, serve } from './define-extension.js';
import type { ExtensionClient } from './extension.js';
import type { ClientExtension } from './installation.js';

const id = 'com.example/review';
const shape = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] };
const pick = defineMethod('acme/pick', { params: shape });
const status = defineMethod('acme/status', { params: shape });
const indexed = defineNotification('notifications/acme/indexed', { params: shape });
const seen = defineNotification('notifications/acme/seen');

interface Setting {
  readonly revision?: typeof revision20251125;
  /** The server declares the extension. */
  readonly shared?: boolean;
  readonly script?: Script;
}

async function start(extension: ClientExtension, setting: Setting = {}) {
  const { revision = revision20251125, shared = true, script } = setting;
  const capabilities = { tools: {}, ...(shared && { extensions: { [id]: { side: 'server' } } }) };
  const server = new ScriptedServer(serverScript(revision, script, capabilities));
  const errors: unknown[] = [];
  const onError = (error: unknown, where: string) => errors.push([where, (error as Error).message]);
  const clock = new FakeClock();
  const client = await linked(server, { extensions: [extension], onError, clock });
  return { server, client, errors, clock };
}

const both = [
  ['a session', revision20251125],
  ['a stateless revision', revision20260728],
] as const;

describe('methods of an extension', () => {
  const methods = [serve(pick, ({ of }) => ({ picked: of }))];

  it('answer the server, and are checked by their shape', async () => {
    const { server } = await start(defineExtension({ id, methods }));
    expect((await server.peer.ask('acme/pick', { of: 'a' })).result).toEqual({ picked: 'a' });
    expect((await server.peer.ask('acme/pick', { of: 1 })).error).toMatchObject({ code: -32602 });
  });

  it('are unknown to a server that does not declare the extension, whatever the params', async () => {
    const { server } = await start(defineExtension({ id, methods }), { shared: false });
    const { error } = await server.peer.ask('acme/pick', { of: 1 });
    expect(error).toEqual({ code: -32601, message: 'Method not found: acme/pick' });
  });

  it('are unknown where the extension is not offered', async () => {
    const settings = () => undefined;
    const { server } = await start(defineExtension({ id, settings, methods }));
    // Params that break the shape, too: nothing reads them.
    expect((await server.peer.ask('acme/pick', { of: 1 })).error).toMatchObject({ code: -32601 });
  });
});

describe.each(both)('notifications of an extension in %s', (_, revision) => {
  it('reach its listener with the client, once they have their shape', async () => {
    const heard: unknown[] = [];
    const notifications = [
      listen(indexed, ({ of }, { settings }) => {
        heard.push([of, settings]);
        if (of === 'bad') throw new Error('bad');
      }),
    ];
    const { server, errors } = await start(defineExtension({ id, notifications }), { revision });
    for (const of of ['a', 1, 'bad', 'b']) server.peer.notify(indexed.name, { of });
    await settled();
    expect(heard).toEqual([
      ['a', { side: 'server' }],
      ['bad', { side: 'server' }],
      ['b', { side: 'server' }],
    ]);
    expect(errors).toHaveLength(2);
    expect(errors).toContainEqual([indexed.name, `${indexed.name}: invalid params: #/of: must be string`]);
    expect(errors).toContainEqual([indexed.name, 'bad']);
  });

  it('are dropped when the server does not declare the extension', async () => {
    const heard: unknown[] = [];
    const notifications = [listen(indexed, (params) => heard.push(params))];
    const setting = { revision, shared: false };
    const { server } = await start(defineExtension({ id, notifications }), setting);
    server.peer.notify(indexed.name, { of: 'a' });
    await settled();
    expect(heard).toEqual([]);
  });
});

describe.each(both)('the client of an extension in %s', (_, revision) => {
  const script = { 'acme/status': (params: UnknownObject) => ({ of: params.of, resultType: 'complete' }) };

  it('calls and notifies the server', async () => {
    const clients: ExtensionClient[] = [];
    const extension = defineExtension({ id, start: (client) => clients.push(client) });
    const { server } = await start(extension, { revision, script });
    const [mine] = clients;
    expect(mine?.settings).toEqual({ side: 'server' });
    expect(await mine?.request(status, { of: 'a' })).toMatchObject({ of: 'a' });
    await expect(mine?.request(status, {})).rejects.toThrow('acme/status: invalid params');
    await mine?.notify(seen, { at: 1 });
    expect(server.peer.paramsOf(seen.name)).toMatchObject([{ at: 1 }]);
  });

  it('refuses to when the next session does not have the extension', async () => {
    const clients: ExtensionClient[] = [];
    const extension = defineExtension({ id, start: (client) => clients.push(client) });
    const { server, clock } = await start(extension, { revision, script });
    const [mine] = clients;
    server.script = serverScript(revision, script, { tools: {} });
    await server.peer.die();
    await clock.advance(0);
    const missing = {
      reason: 'capability-missing',
      message: `The extension "${id}", which acme/status needs, is not in use: the server did not declare it.`,
    };
    expect(mine?.settings).toBeUndefined();
    await expect(mine?.request(status, { of: 'a' })).rejects.toMatchObject(missing);
    await expect(mine?.notify(seen, {})).rejects.toMatchObject({ reason: 'capability-missing' });
  });
});

describe.each(both)('an extension in %s', (_, revision) => {
  it('starts with each session that has it, and stops once', async () => {
    const calls: unknown[] = [];
    const extension = defineExtension({
      id,
      start: (client) => calls.push(['start', client.settings]),
      stop: async () => {
        calls.push('stop');
        throw new Error('left open');
      },
    });
    const { server, client, clock, errors } = await start(extension, { revision });
    await server.peer.die();
    await clock.advance(0);
    expect(client.state).toBe('open');
    server.script = serverScript(revision, {}, { tools: {} });
    await server.peer.die();
    await clock.advance(1_000);
    expect(server.peers.length).toBeGreaterThan(2);
    expect(client.state).toBe('open');
    expect(calls).toEqual([
      ['start', { side: 'server' }],
      ['start', { side: 'server' }],
    ]);
    await client.close();
    await client.close();
    await settled();
    expect(calls.slice(2)).toEqual(['stop']);
    expect(errors).toEqual([[`extension ${id}`, 'left open']]);
  });

  it('may call the server as it starts, and reports what start throws', async () => {
    const slow: Reply = () => ({ state: 'ready', resultType: 'complete' });
    const states: unknown[] = [];
    const extension = defineExtension({
      id,
      start: async (client) => {
        states.push((await client.request(status, { of: 'a' })).state);
        throw new Error('no use');
      },
    });
    const { errors } = await start(extension, { revision, script: { 'acme/status': slow } });
    await settled();
    expect(states).toEqual(['ready']);
    expect(errors).toEqual([[`extension ${id}`, 'no use']]);
  });
});

it('an extension stops when connecting fails', async () => {
  const calls: string[] = [];
  const extensions = [defineExtension({ id, stop: () => calls.push('stop') })];
  await expect(linked(new ScriptedServer({}), { extensions })).rejects.toThrow();
  await settled();
  expect(calls).toEqual(['stop']);
});
