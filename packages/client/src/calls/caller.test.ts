import { revisions } from '@tenon/mcp-protocol';
import {
  revision20241105,
  revision20250326,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { Client } from '../client.js';

const contents = [{ uri: 'file:///a', text: 'A' }];
const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
const hints = { ttlMs: 0, cacheScope: 'private' };

describe.each(revisions.map((revision) => [revision.id, revision] as const))('%s', (_, revision) => {
  it('lists, reads, gets and completes', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/server/utilities/completion/context',
        '2026-07-28/server/utilities/pagination/both-flows',
        'draft-tools/tools/any-interface',
      ],
    });
    const server = new ScriptedServer(
      serverScript(revision, {
        'resources/list': () => ({ resources: [{ uri: 'file:///a', name: 'a' }], ...hints }),
        'resources/templates/list': () => ({
          resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 'x' }],
          ...hints,
        }),
        'resources/read': () => ({ contents, ...hints }),
        'prompts/list': () => ({ prompts: [{ name: 'hi' }], ...hints }),
        'prompts/get': () => ({ messages }),
        'completion/complete': () => ({ completion: { values: ['Oslo'], hasMore: false } }),
      }),
    );
    const client = await linked(server);
    expect(await client.resources().all()).toEqual([{ uri: 'file:///a', name: 'a' }]);
    expect(await client.resourceTemplates().all()).toEqual([{ uriTemplate: 'file:///{x}', name: 'x' }]);
    expect((await client.readResource('file:///a')).contents).toEqual(contents);
    expect(await client.prompts().all()).toEqual([{ name: 'hi' }]);
    expect((await client.getPrompt('hi', { to: 'Ada' })).messages).toEqual(messages);
    expect(server.peer.paramsOf('prompts/get')[0]).toMatchObject({ name: 'hi', arguments: { to: 'Ada' } });
    const query = { ref: { type: 'ref/prompt', name: 'hi' }, argument: { name: 'to', value: 'O' } } as const;
    expect(await client.complete(query)).toEqual({ values: ['Oslo'], hasMore: false });
  });
});

describe('what the server did not declare', () => {
  it.each<[string, (client: Client) => Promise<unknown>, string, ...string[]]>([
    [
      'tools',
      (client) => client.tools().all(),
      'The server did not declare the capability "tools", which tools/list needs.',
      '2024-11-05/architecture/respect-capabilities',
    ],
    [
      'a tool call',
      (client) => client.callTool('x'),
      'The server did not declare the capability "tools", which tools/call needs.',
      '2024-11-05/architecture/tools-declared',
      '2024-11-05/basic/lifecycle/missing-capabilities',
    ],
    [
      'resources',
      (client) => client.readResource('a:b'),
      'The server did not declare the capability "resources", which resources/read needs.',
    ],
    [
      'prompts',
      (client) => client.getPrompt('x'),
      'The server did not declare the capability "prompts", which prompts/get needs.',
      '2024-11-05/server/prompts/capabilities-respected',
      '2026-07-28/server/prompts/capabilities-respected',
    ],
    [
      'log levels',
      (client) => client.setLogLevel('info'),
      'The server did not declare the capability "logging", which logging/setLevel needs.',
    ],
    [
      'any request',
      (client) => client.request('tools/list', {}),
      'The server did not declare the capability "tools", which tools/list needs.',
      '2025-03-26/lifecycle/respected',
    ],
  ])('%s, is not asked for', async (...[, call, message, ...ids]) => {
    shows(...ids);
    const server = new ScriptedServer(serverScript(revision20251125, {}, {}));
    const client = await linked(server);
    const failure = await call(client).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'capability-missing', message });
    expect(server.peer.heard).toHaveLength(3);
  });
});

it('what the revision does not have is not sent', async () => {
  shows('2024-11-05/basic/lifecycle/respect-version');
  const client = await linked(new ScriptedServer(serverScript(revision20260728)));
  await expect(client.ping()).rejects.toMatchObject({ reason: 'not-in-revision' });
});

it('reports progress as it arrives, and restarts the timeout', async () => {
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision20260728, { 'tools/call': () => undefined }));
  const client = await linked(server, { clock });
  const seen: unknown[] = [];
  const onProgress = (progress: unknown) => seen.push(progress);
  const call = client.callTool('slow', {}, { onProgress, timeout: 100 });
  await clock.advance(90);
  server.peer.notify('notifications/progress', { progressToken: 2, progress: 1, total: 2, message: 'half' });
  await clock.advance(90);
  expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  server.peer.respond(2, { resultType: 'complete', content: [] });
  expect((await call).isError).toBe(false);
});

it('a server that waits for our own user is not silent', async () => {
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision20251125, { 'tools/call': () => undefined }));
  let answer = (_: { action: 'decline' }) => {};
  const onElicit = () => new Promise<{ action: 'decline' }>((resolve) => (answer = resolve));
  const client = await linked(server, { clock, onElicit });
  const call = client.callTool('slow', {}, { timeout: 100 });
  const outcome = expect(call).rejects.toMatchObject({ reason: 'timeout' });
  const requestedSchema = { type: 'object', properties: {} };
  const asked = server.peer.ask('elicitation/create', { message: '?', requestedSchema });
  await clock.advance(350);
  answer({ action: 'decline' });
  await asked;
  await clock.advance(90);
  expect(client.state).toBe('open');
  expect(server.peer.heard.some((one) => one.method === 'notifications/cancelled')).toBe(false);
  await clock.advance(120);
  await outcome;
});

it('times out and cancels a call without an answer', async () => {
  shows(
    '2024-11-05/basic/lifecycle/request-timeouts',
    '2024-11-05/server/tools/timeouts',
    '2025-11-25-server-features/tools/timeouts',
    '2026-07-28/server/tools/client-timeouts',
    'draft-tools/tools/timeouts',
  );
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision20251125, { 'tools/call': () => undefined }));
  const client = await linked(server, { clock });
  const call = client.callTool('slow', {}, { timeout: 100 });
  const outcome = expect(call).rejects.toMatchObject({ reason: 'timeout' });
  await clock.advance(101);
  await outcome;
  expect(server.peer.heard.at(-1)).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 3 },
  });
});

it.each(revisions)('a request without options times out in $id', async (revision) => {
  showsBy(revision.id, {
    '2024-11-05': ['2024-11-05/basic/lifecycle/request-timeouts', '2024-11-05/server/tools/timeouts'],
    '2025-11-25': '2025-11-25-server-features/tools/timeouts',
    '2026-07-28': [
      '2026-07-28/basic/patterns/cancellation/timeouts',
      '2026-07-28/server/tools/client-timeouts',
      'draft-tools/tools/timeouts',
    ],
  });
  const clock = new FakeClock();
  const methods = ['tools/call', 'resources/read', 'ping'] as const;
  const server = new ScriptedServer(
    serverScript(revision, Object.fromEntries(methods.map((method) => [method, () => undefined]))),
  );
  const client = await linked(server, { clock });
  const calls = [client.callTool('slow'), client.readResource('a:b')];
  if (revision.lifecycle === 'handshake') calls.push(client.ping() as never);
  const outcomes = calls.map((call) => call.catch((error: unknown) => error));
  await clock.advance(59_999);
  expect(server.peer.heard.some((one) => one.method === 'notifications/cancelled')).toBe(false);
  await clock.advance(1_001);
  for (const error of await Promise.all(outcomes)) expect(error).toMatchObject({ reason: 'timeout' });
  expect(server.peer.heard.filter((one) => one.method === 'notifications/cancelled')).toHaveLength(
    calls.length,
  );
});

it('a signal cancels the call on both ends', async () => {
  shows('2026-07-28/basic/patterns/cancellation/client-cancels');
  const server = new ScriptedServer(serverScript(revision20260728, { 'tools/call': () => undefined }));
  const client = await linked(server);
  const controller = new AbortController();
  const call = client.callTool('slow', {}, { signal: controller.signal });
  const outcome = expect(call).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
  await settled();
  controller.abort('enough');
  await outcome;
  await settled();
  expect(server.peer.heard.at(-1)).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 2 },
  });
});

it('middleware sees what goes out and what comes in, and may change both', async () => {
  shows('2024-11-05/server/tools/usage-logged');
  const server = new ScriptedServer(
    serverScript(revision20241105, {
      'tools/call': (params) => ({ content: [{ type: 'text', text: String(params.name) }] }),
    }),
  );
  const seen: string[] = [];
  const client = await linked(server, {
    roots: [],
    middleware: [
      async (call, next) => {
        seen.push(`${call.direction} ${call.method}`);
        return call.method === 'tools/call' ? next({ ...call.params, name: 'other' }) : next();
      },
    ],
  });
  expect((await client.callTool('x')).content).toEqual([{ type: 'text', text: 'other' }]);
  await server.peer.ask('roots/list');
  expect(seen).toEqual([
    'outbound server/discover',
    'outbound initialize',
    'outbound tools/call',
    'inbound roots/list',
  ]);
});

it.each([revision20250326, revision20251125, revision20260728])(
  'metadata goes with every kind of call',
  async (revision) => {
    const server = new ScriptedServer(
      serverScript(revision, {
        'tools/list': () => ({ tools: [], ...hints }),
        'tools/call': () => ({ content: [] }),
        'resources/read': () => ({ contents, ...hints }),
      }),
    );
    const client = await linked(server);
    const meta = { 'example.com/trace': 'x' };
    const params = { uri: 'file:///a' };
    await client.tools({ meta }).all();
    await client.callTool('x', {}, { meta });
    await client.readResource('file:///a', { meta });
    await client.request('resources/read', params, { meta });
    await Promise.all(client.batch([{ method: 'resources/read', params }], { meta }));
    const calls = server.peer.heard.slice(revision.lifecycle === 'stateless' ? 1 : 3);
    expect(calls).toHaveLength(5);
    for (const call of calls) expect(call.params?._meta).toMatchObject(meta);
  },
);

it('answers pings', async () => {
  const server = new ScriptedServer(serverScript(revision20251125));
  await linked(server);
  expect((await server.peer.ask('ping')).result).toEqual({});
});
