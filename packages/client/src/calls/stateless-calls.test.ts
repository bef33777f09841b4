import { MetaKey, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, type Script, ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, serverScript } from '../../test/scripts.js';

const hints = { ttlMs: 0, cacheScope: 'private' };
const accept = () => ({ action: 'accept', content: {} }) as const;
const handlers = {
  onElicit: accept,
  onElicitUrl: () => ({ action: 'accept' }) as const,
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' }) as const,
  roots: [{ uri: 'file:///a' }],
};
const form = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

/** Answers everything, and acknowledges subscriptions. */
const everything: Script = {
  'tools/list': () => ({ tools: [], ...hints }),
  'tools/call': () => ({ content: [] }),
  'prompts/list': () => ({ prompts: [], ...hints }),
  'prompts/get': () => ({ messages: [] }),
  'resources/list': () => ({ resources: [], ...hints }),
  'resources/templates/list': () => ({ resourceTemplates: [], ...hints }),
  'resources/read': () => ({ contents: [], ...hints }),
  'completion/complete': () => ({ completion: { values: [] } }),
  'subscriptions/listen': (params, peer, id) => {
    const { notifications } = params;
    const _meta = { [MetaKey.subscriptionId]: id };
    peer.notify('notifications/subscriptions/acknowledged', { notifications, _meta });
    return undefined;
  },
};

const serving = (more: Script = {}) =>
  new ScriptedServer(serverScript(revision20260728, { ...everything, ...more }));

/** Uses everything a client has. */
async function useAll(client: Awaited<ReturnType<typeof linked>>): Promise<void> {
  await client.tools().all();
  await client.callTool('t');
  await client.prompts().all();
  await client.getPrompt('p');
  await client.resources().all();
  await client.resourceTemplates().all();
  await client.readResource('a:b');
  await client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } });
  await client.watch({ tools: true }, () => undefined);
}

describe('every request', () => {
  it('says its version, its client and what it can be asked', async () => {
    shows(
      '2026-07-28/basic/index/meta-required',
      '2026-07-28/basic/index/meta-client-info',
      '2026-07-28/basic/patterns/mrtr/meta-on-every-request',
      '2026-07-28/basic/transports/stdio/metadata-inline',
      '2026-07-28/basic/versioning/version-per-request',
      '2026-07-28/client/elicitation/declare-capability',
      '2026-07-28/client/roots/declare-capability',
      '2026-07-28/client/sampling/declare-capability',
    );
    const server = serving({
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { a: form } }
          : { content: [] },
    });
    const info = { name: 'mine', version: '3', title: 'Mine' };
    await useAll(await linked(server, { ...handlers, info }));
    const requests = server.peer.heard.filter((one) => one.id !== undefined);
    expect(new Set(requests.map((one) => one.method)).size).toBe(10);
    expect(requests.filter((one) => one.method === 'tools/call')).toHaveLength(2);
    for (const { method, params } of requests) {
      expect(params?._meta, method).toMatchObject({
        [MetaKey.protocolVersion]: '2026-07-28',
        [MetaKey.clientInfo]: info,
        [MetaKey.clientCapabilities]: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      });
    }
  });

  it('has an id that no other has that waits', async () => {
    shows('2026-07-28/basic/index/request-id-unique');
    const server = serving({ 'tools/call': () => undefined });
    const client = await linked(server, { reconnect: false });
    const calls = Array.from({ length: 200 }, () => client.callTool('t').catch(() => 'ended'));
    await settled();
    const ids = server.peer.heard.map((one) => one.id);
    expect(ids.length).toBeGreaterThan(200);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(typeof id === 'string' || Number.isSafeInteger(id)).toBe(true);
    await client.close();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ended']));
  });

  it('says nothing else of itself because the caller wrote it under a key of the protocol', async () => {
    const server = serving();
    const client = await linked(server);
    const meta = {
      [MetaKey.protocolVersion]: '1999-01-01',
      [MetaKey.clientCapabilities]: { sampling: {} },
      'com.example/own': 1,
    };
    await client.callTool('t', {}, { meta });
    expect(server.peer.paramsOf('tools/call')[0]?._meta).toMatchObject({
      [MetaKey.protocolVersion]: '2026-07-28',
      [MetaKey.clientCapabilities]: {},
      'com.example/own': 1,
    });
  });

  it('hands on what the application says of its trace as it is', async () => {
    shows('2026-07-28/basic/index/meta-trace');
    const server = serving();
    const client = await linked(server);
    const meta = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'vendor=1',
      baggage: 'user=%C3%A9',
    };
    await client.callTool('t', {}, { meta });
    expect(server.peer.paramsOf('tools/call')[0]?._meta).toMatchObject(meta);
  });
});

it('a client sends requests and notifications alone, whatever the server sends', async () => {
  shows('2026-07-28/basic/patterns/index/no-client-responses');
  const server = serving();
  const client = await linked(server, handlers);
  const answers: unknown[] = [];
  for (const [method, params] of [
    ['ping', {}],
    ['roots/list', {}],
    ['elicitation/create', form.params],
    ['sampling/createMessage', { messages: [], maxTokens: 1 }],
    ['nobody/knows', {}],
  ] as const)
    void server.peer.ask(method, params).then((answer) => answers.push(answer));
  await settled();
  await client.callTool('t');
  expect(answers).toEqual([]);
  for (const one of server.peer.heard) expect(one.method).toBeDefined();
});

it('a server is spoken to alike whatever it calls itself', async () => {
  shows(
    '2026-07-28/basic/index/names-change-nothing',
    '2026-07-28/server/discover/server-info-changes-nothing',
    '2026-07-28/server/discover/server-info-no-security',
  );
  const said = await Promise.all(
    [undefined, { name: 'trusted', version: '99' }, { name: 'claude-ai', version: '0', title: 'x' }].map(
      async (serverInfo) => {
        const _meta = serverInfo === undefined ? {} : { [MetaKey.serverInfo]: serverInfo };
        const { capabilities } = discoverResult([]);
        const server = serving({
          'server/discover': () => ({
            ...discoverResult(['2026-07-28'], capabilities as UnknownObject),
            _meta,
          }),
        });
        await useAll(await linked(server, handlers));
        return JSON.stringify(server.peer.heard);
      },
    ),
  );
  expect(new Set(said).size).toBe(1);
});

it('a call that is given up is cancelled by its id', async () => {
  shows(
    '2026-07-28/basic/patterns/cancellation/stdio-notification',
    '2026-07-28/basic/transports/stdio/cancel-by-notification',
  );
  const server = serving({ 'tools/call': () => undefined });
  const client = await linked(server);
  const giving = new AbortController();
  const calls = ['a', 'b'].map((name) =>
    client.callTool(name, {}, name === 'a' ? { signal: giving.signal } : {}).catch(() => 'ended'),
  );
  await settled();
  giving.abort('enough');
  await settled();
  const [first] = server.peer.heard.filter((one) => one.method === 'tools/call');
  expect(server.peer.paramsOf('notifications/cancelled')).toEqual([
    { requestId: first?.id, reason: 'enough' },
  ]);
  await client.close();
  expect(await Promise.all(calls)).toEqual(['ended', 'ended']);
});

it('keeps the input requests and state of a call apart from concurrent calls', async () => {
  shows('2026-07-28/basic/patterns/mrtr/own-retry-only');
  const ask: Reply = ({ name, inputResponses }) =>
    inputResponses === undefined && name === 'asks'
      ? { resultType: 'input_required', inputRequests: { a: form }, requestState: 'of the one that asks' }
      : { content: [] };
  const server = serving({ 'tools/call': ask });
  const client = await linked(server, handlers);
  await Promise.all([
    client.callTool('asks'),
    client.callTool('other'),
    client.readResource('a:b'),
    client.tools().all(),
  ]);
  await client.callTool('asks later');
  const carrying = server.peer.heard.filter(
    ({ params = {} }) => 'requestState' in params || 'inputResponses' in params,
  );
  expect(carrying.map((one) => [one.method, one.params?.name])).toEqual([['tools/call', 'asks']]);
});

it('log messages reach the application with level, logger and data', async () => {
  shows(
    '2026-07-28/server/utilities/logging/client-shows',
    '2026-07-28/server/utilities/logging/client-filters',
    '2026-07-28/server/utilities/logging/client-severity',
    '2026-07-28/server/utilities/logging/client-persists',
  );
  const logs: unknown[] = [];
  const server = serving({
    'tools/call': (_, peer) => {
      peer.notify('notifications/message', { level: 'error', logger: 'saw', data: { board: 1 } });
      return { content: [] };
    },
  });
  const client = await linked(server, { onLog: (message) => logs.push(message), logLevel: 'debug' });
  await client.callTool('t');
  expect(logs).toEqual([{ level: 'error', logger: 'saw', data: { board: 1 } }]);
  expect(server.peer.paramsOf('tools/call')[0]?._meta).toMatchObject({ [MetaKey.logLevel]: 'debug' });
});
