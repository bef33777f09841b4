import { defineMethod, defineNotification } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, initializeResult, serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';
import { defineExtension, listen, serve } from './define-extension.js';
import type { ClientContributions } from './extension.js';
import type { ClientExtension } from './installation.js';

const id = 'com.example/review';
const pick = defineMethod('acme/pick');
const indexed = defineNotification('notifications/acme/indexed');
const settings: ClientExtension['settings'] = ({ lifecycle }) =>
  lifecycle === 'stateless' ? { push: true } : undefined;

/** The capabilities that a server receives, in either lifecycle. */
async function declared(extensions: readonly ClientExtension[], revision: string): Promise<unknown> {
  const both = {
    initialize: () => initializeResult(revision),
    'server/discover': () => discoverResult([revision]),
  };
  const server = new ScriptedServer(both);
  await linked(server, { extensions, revision });
  const [params] = [...server.peer.paramsOf('initialize'), ...server.peer.paramsOf('server/discover')];
  const meta = params?._meta as Record<string, unknown> | undefined;
  return params?.capabilities ?? meta?.['io.modelcontextprotocol/clientCapabilities'];
}

it('closing does not wait for the stop of an extension', async () => {
  const server = new ScriptedServer(serverScript(revision20260728));
  const stop = () => new Promise(() => {});
  const client = await linked(server, { extensions: [defineExtension({ id, stop })] });
  await client.close();
  expect(client.state).toBe('closed');
});

describe('an extension', () => {
  it.each(['2024-11-05', '2025-11-25', '2026-07-28'])('is declared in %s', async (revision) => {
    const extensions = [defineExtension({ id, settings: { depth: 3 }, external: true })];
    expect(await declared(extensions, revision)).toEqual({ extensions: { [id]: { depth: 3 } } });
  });

  it('is declared with the settings of the revision, and nowhere else', async () => {
    const extensions = [
      defineExtension({ id, settings, external: true }),
      defineExtension({ id: 'com.example/other', external: true }),
    ];
    expect(await declared(extensions, '2025-11-25')).toEqual({ extensions: { 'com.example/other': {} } });
    expect(await declared(extensions, '2026-07-28')).toEqual({
      extensions: { [id]: { push: true }, 'com.example/other': {} },
    });
    expect(await declared(extensions.slice(0, 1), '2025-11-25')).toEqual({});
  });

  it('is in use where both ends declare it in the revision in use', async () => {
    const capabilities = { extensions: { [id]: { side: 'server' }, 'com.example/theirs': {} } };
    for (const revision of [revision20251125, revision20260728]) {
      const server = new ScriptedServer(serverScript(revision, {}, capabilities));
      const always = await linked(server, { extensions: [defineExtension({ id, external: true })] });
      expect(always.extension(id)).toEqual({ side: 'server' });
      expect(always.extension('com.example/theirs')).toBeUndefined();
      const stateless = await linked(server, {
        extensions: [defineExtension({ id, settings, external: true })],
      });
      const used = revision.lifecycle === 'stateless' ? { side: 'server' } : undefined;
      expect(stateless.extension(id)).toEqual(used);
    }
  });

  it.each<[string, unknown, string, ...string[]]>([
    [
      'an id without a prefix',
      { id: 'review', external: true },
      '"review" needs a prefix',
      '2026-07-28/basic/versioning/extension-identifier',
    ],
    ['no id', { external: true }, 'identifier undefined is not a text'],
    ['nothing to contribute', { id }, 'advertises itself and contributes nothing'],
    ['an unknown contribution', { id, method: [] }, 'there is no option "method"'],
    [
      'settings that are not an object',
      { id, settings: 'yes', external: true },
      'settings must be an object',
    ],
    [
      'a method without a handler',
      { id, methods: [{ method: pick }] },
      'methods must be a list, each of what serve',
    ],
    [
      'a notice for a method',
      { id, methods: [{ method: indexed, handler: () => ({}) }] },
      'methods must be a list',
    ],
    [
      'a listener that is none',
      { id, notifications: [listen(indexed, 1 as never)] },
      'what listen(notification, listener)',
    ],
    [
      'a filter of the core',
      { id, filters: ['toolsListChanged'] },
      'filters must be a list of names other than',
    ],
    [
      'a result type of the core',
      { id, resultTypes: [{ type: 'complete', settle: () => 1 }] },
      'with a type other than complete',
    ],
  ])('is rejected with %s', (...[, extension, message, ...ids]) => {
    shows(...ids);
    const define = () => defineExtension(extension as ClientContributions);
    expect(define).toThrow(TypeError);
    expect(define).toThrow(message);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'an object that defineExtension did not return',
      { id, external: true },
      /^connect: extensions\[1\] \("com.example\/review"\) was not returned by defineExtension of @tenon\/mcp-client: write extensions: \[defineExtension\(\{ id: "com.example\/review", ... \}\)\]\.$/,
    ],
    ['a copy of a defined extension', { ...defineExtension({ id, external: true }) }, /was not returned by/],
    ['a function', () => ({ id }), /extensions\[1\] was not returned by .+ id: "com.example\/search"/],
  ])('is refused by connect as %s', async (_, extension, message) => {
    const extensions = [defineExtension({ id: 'com.example/other', external: true }), extension as never];
    const connecting = linked(new ScriptedServer({}), { extensions });
    await expect(connecting).rejects.toThrow(TypeError);
    await expect(linked(new ScriptedServer({}), { extensions })).rejects.toThrow(message);
  });

  it('may be defined by an object that is frozen, or that inherits its members', async () => {
    let started = 0;
    class Review {
      readonly id = id;
      readonly filters = ['reviews'];
      start() {
        started++;
      }
    }
    const frozen = Object.freeze({ id: 'com.example/other', external: true });
    const capabilities = { tools: {}, extensions: { [id]: {} } };
    const server = new ScriptedServer(serverScript(revision20260728, {}, capabilities));
    await linked(server, { extensions: [defineExtension(new Review()), defineExtension(frozen)] });
    expect(started).toBe(1);
  });

  it.each<[string, readonly ClientContributions[], string]>([
    [
      'id',
      [
        { id, external: true },
        { id, external: true },
      ],
      `The extension "${id}" is given twice.`,
    ],
    [
      'method',
      [
        { id, methods: [serve(pick, () => ({}))] },
        { id: 'com.example/other', methods: [serve(pick, () => ({}))] },
      ],
      'Method "acme/pick" has a handler already.',
    ],
    [
      'notification',
      [
        { id, notifications: [listen(indexed, () => {})] },
        { id: 'com.example/other', notifications: [listen(indexed, () => {})] },
      ],
      `Extension "com.example/other": the notification "notifications/acme/indexed" belongs to "${id}" already.`,
    ],
    [
      'filter',
      [
        { id, filters: ['topics'] },
        { id: 'com.example/other', filters: ['topics'] },
      ],
      `Extension "com.example/other": the filter "topics" belongs to "${id}" already.`,
    ],
    [
      'result type',
      [
        { id, resultTypes: [{ type: 'review', settle: () => ({ content: [] }) }] },
        { id: 'com.example/other', resultTypes: [{ type: 'review', settle: () => ({ content: [] }) }] },
      ],
      `Extension "com.example/other": the result type "review" belongs to "${id}" already.`,
    ],
  ])('is rejected with the %s of another', async (_, contributions, message) => {
    const extensions = contributions.map((one) => defineExtension(one));
    const connecting = linked(new ScriptedServer({}), { extensions });
    await expect(connecting).rejects.toThrow(TypeError);
    await expect(linked(new ScriptedServer({}), { extensions })).rejects.toThrow(message);
  });

  it('is rejected with a rule that returns no object', async () => {
    const extensions = [defineExtension({ id, settings: () => 3 as never, external: true })];
    await expect(linked(new ScriptedServer({}), { extensions })).rejects.toThrow(
      `Extension "${id}": settings must be an object`,
    );
  });
});

it('settings under capabilities are rejected with what to write instead', async () => {
  const options = { capabilities: { extensions: { [id]: {} } } } as Partial<ClientOptions>;
  await expect(linked(new ScriptedServer({}), options)).rejects.toThrow(
    'connect(target, { extensions: [defineExtension({',
  );
});
