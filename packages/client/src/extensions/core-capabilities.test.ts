import {
  type ClientCapabilities,
  defineMethod,
  type RevisionTraits,
  type ServerCapabilities,
} from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { initializeResult, serverScript } from '../../test/scripts.js';
import { defineExtension, serve } from './define-extension.js';
import type { ClientContributions, ExtensionClient } from './extension.js';

const id = 'com.example/jobs';
const getTask = defineMethod('tasks/get', { in: ({ rules }) => rules.tasks });
const hasTasks = ({ rules }: RevisionTraits) => rules.tasks;
const inCore = ({ tasks }: ServerCapabilities) => tasks?.requests?.tools?.call !== undefined;
const offering = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
const task = { taskId: 'a', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };

/** An extension of a subject that one revision has in its core. */
function jobs(more: Partial<ClientContributions> = {}) {
  return defineExtension({
    id,
    settings: ({ lifecycle }) => (lifecycle === 'stateless' ? {} : undefined),
    capabilities: (revision, { elicitation }) =>
      hasTasks(revision)
        ? { tasks: { cancel: {}, ...(elicitation && { requests: { elicitation: { create: {} } } }) } }
        : undefined,
    inCore,
    methods: [serve(getTask, (_params, { client }) => ({ ...task, ...client.settings }))],
    ...more,
  });
}

describe('capabilities of an extension', () => {
  it.each(['2025-06-18', '2025-11-25'])(
    'are declared where the core leaves them to it (%s)',
    async (revision) => {
      const server = new ScriptedServer({ initialize: () => initializeResult(revision) });
      const onElicit = () => ({ action: 'decline' }) as const;
      await linked(server, { extensions: [jobs()], revision, onElicit });
      const [{ capabilities } = {}] = server.peer.paramsOf('initialize');
      const { tasks, extensions } = capabilities as ClientCapabilities;
      const declared = { cancel: {}, requests: { elicitation: { create: {} } } };
      expect(tasks).toEqual(revision === '2025-11-25' ? declared : undefined);
      expect(extensions).toBeUndefined();
    },
  );

  it('put the extension in use with a server that offers its subject in the core', async () => {
    const clients: ExtensionClient[] = [];
    const extensions = [jobs({ start: (client) => clients.push(client) })];
    const answer = { 'tasks/get': () => task };
    const server = new ScriptedServer(serverScript(revision20251125, answer, offering));
    const client = await linked(server, { extensions });
    expect(clients[0]?.settings).toEqual({});
    expect(await clients[0]?.request(getTask, { taskId: 'a' })).toMatchObject({ taskId: 'a' });
    expect((await server.peer.ask('tasks/get', { taskId: 'a' })).result).toEqual(task);
    expect(client.extension(id)).toBeUndefined();
  });

  it.each<[string, typeof revision20251125, ServerCapabilities]>([
    ['that does not offer it', revision20251125, { tools: {} }],
    ['of a revision in which it is not in the core', revision20260728, offering],
  ])('do not put it in use with a server %s', async (_, revision, capabilities) => {
    const clients: ExtensionClient[] = [];
    const members = (client: ExtensionClient) => ({ mine: clients.push(client) });
    const server = new ScriptedServer(serverScript(revision, {}, { ...capabilities }));
    await linked(server, { extensions: [jobs({ members })] });
    expect(clients[0]?.settings).toBeUndefined();
    await expect(clients[0]?.request(getTask, {})).rejects.toMatchObject({ reason: 'capability-missing' });
    if (revision.lifecycle === 'handshake')
      expect((await server.peer.ask('tasks/get', { taskId: 'a' })).error).toMatchObject({ code: -32601 });
  });

  it('may be none, where the extension needs nothing of the client', async () => {
    const clients: ExtensionClient[] = [];
    const capabilities = (revision: RevisionTraits) => (hasTasks(revision) ? {} : undefined);
    const extensions = [jobs({ capabilities, start: (client) => clients.push(client) })];
    const server = new ScriptedServer(serverScript(revision20251125, {}, offering));
    await linked(server, { extensions });
    expect(clients).toHaveLength(1);
    expect(server.peer.paramsOf('initialize')).toMatchObject([{ capabilities: {} }]);
  });

  it.each(['elicitation', 'sampling', 'roots', 'experimental', 'extensions'])(
    'are rejected if they are "%s"',
    async (name) => {
      const extensions = [jobs({ capabilities: () => ({ [name]: {} }) })];
      await expect(linked(new ScriptedServer({}), { extensions })).rejects.toThrow(
        new TypeError(`Extension "${id}": the capability "${name}" belongs to the core.`),
      );
    },
  );

  it('are rejected if another extension has them, and if they are not an object', async () => {
    const connecting = (...extensions: ReturnType<typeof jobs>[]) =>
      linked(new ScriptedServer({}), { extensions });
    const other = defineExtension({
      id: 'com.example/other',
      capabilities: () => ({ tasks: {} }),
      stop() {},
    });
    await expect(connecting(jobs(), other as never)).rejects.toThrow(
      'Extension "com.example/other": the capability "tasks" belongs to another extension.',
    );
    await expect(connecting(jobs({ capabilities: () => 3 as never }))).rejects.toThrow(
      `Extension "${id}": capabilities must return an object, or undefined.`,
    );
  });
});
