import { defineMethod, type RevisionTraits, type ServerCapabilities } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { everyRevision, type Json, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';
import { defineExtension, serve } from './define-extension.js';
import type { ServerContributions } from './extension.js';

const id = 'com.example/jobs';
const tasks = { list: {}, requests: { tools: { call: {} } } };
const get = defineMethod('tasks/get', { params: { type: 'object', required: ['taskId'] } });
const hasTasks = ({ rules }: RevisionTraits) => rules.tasks;
const task = { taskId: 'a', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };

/** An extension that is a part of the core protocol in one revision, and an extension in the newest. */
function jobs(more: Partial<ServerContributions> = {}) {
  return defineExtension({
    id,
    settings: ({ lifecycle }) => (lifecycle === 'stateless' ? {} : undefined),
    capabilities: (revision) => (hasTasks(revision) ? { tasks } : undefined),
    clientDeclares: (revision) => !hasTasks(revision),
    methods: [serve(get, () => task)],
    interceptToolCall: () => ({ content: [{ type: 'text', text: 'intercepted' }] }),
    ...more,
  });
}

function serverWith(more?: Partial<ServerContributions>): Server {
  const server = createServer(
    { name: 'test', version: '1' },
    { extensions: [jobs(more)], onError: () => {} },
  );
  return server.tool(
    'plain',
    {},
    (_input, ctx) => `${JSON.stringify(ctx.clientCapabilities.tasks)}`,
  ) as never;
}

describe.each(everyRevision)('capabilities of an extension in $id', (revision) => {
  const isInCore = revision.rules.tasks;
  const isExtension = revision.lifecycle === 'stateless';

  it('are declared in the revision that has them in its core', async () => {
    const server = serverWith();
    const peer = await WirePeer.open(server, revision);
    const first = isExtension
      ? await peer.request('server/discover')
      : await peer.next(({ result }) => result?.capabilities !== undefined);
    const capabilities = first.result?.capabilities as Json;
    if (isInCore) expect(capabilities.tasks).toEqual(tasks);
    else expect(capabilities).not.toHaveProperty('tasks');
    if (isExtension) expect(capabilities.extensions).toEqual({ [id]: {} });
    else expect(capabilities).not.toHaveProperty('extensions');
  });

  it('offer the extension to clients that did not declare it', async () => {
    const peer = await WirePeer.open(serverWith(), revision);
    const answer = await peer.request('tasks/get', { taskId: 'a' });
    if (isInCore) expect(answer.result).toEqual(task);
    else expect(answer.error?.code).toBe(isExtension ? -32021 : -32601);
    const { result } = await peer.request('tools/call', { name: 'plain' });
    expect(result?.content?.[0]?.text).toBe(isInCore || isExtension ? 'intercepted' : 'undefined');
  });

  it('are read from the client', async () => {
    const theirs = { cancel: {}, requests: { elicitation: { create: {} } } };
    const server = serverWith({ interceptToolCall: (_call, next) => next() });
    const peer = await WirePeer.open(server, revision, { tasks: theirs });
    const { result } = await peer.request('tools/call', { name: 'plain' });
    expect(result?.content?.[0]?.text).toBe(JSON.stringify(theirs));
  });
});

describe('capabilities of an extension', () => {
  const stop = () => {};
  const offer = (...all: ServerContributions[]) =>
    createServer({ name: 'test', version: '1' }, { extensions: all.map((one) => defineExtension(one)) });

  it.each(['tools', 'logging', 'experimental', 'extensions'])('are rejected if they are "%s"', (name) => {
    const capabilities = () => ({ [name]: {} }) as ServerCapabilities;
    expect(() => offer({ id, capabilities, stop })).toThrow(`the capability "${name}" belongs to the core`);
  });

  it('are rejected if another extension has them', () => {
    const capabilities = () => ({ tasks: {} });
    expect(() => offer({ id, capabilities, stop }, { id: 'com.example/other', capabilities, stop })).toThrow(
      'the capability "tasks" is there already',
    );
  });

  it('are rejected if they are not an object', () => {
    expect(() => offer({ id, capabilities: () => true as never, stop })).toThrow(
      'capabilities must return an object',
    );
    expect(() => offer({ id, capabilities: {} as never, stop })).toThrow('capabilities must be');
  });

  it('rejects a clientDeclares that is not a flag', () => {
    expect(() => offer({ id, clientDeclares: 'no' as never, stop })).toThrow('clientDeclares must be');
  });
});
