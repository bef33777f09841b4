import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../tooling/suite/shows.js';
import { HttpPeer, type HttpPeerOptions, messagesFrom, messagesOf } from '../test/http-peer.js';
import { everyRevision, handshakeRevisions, latestStateless } from '../test/wire-peer.js';
import { type ServeHttpOptions, serveHttp, toNodeHandler } from './http.js';
import { createServer, type Server } from './server.js';

const everything = { elicitation: { form: {} }, sampling: {}, roots: {} };
const overHttp = everyRevision.filter((one) => one.lifecycle === 'stateless' || one.rules.resumable);
const sessions = handshakeRevisions.filter((one) => one.rules.resumable);

function make(): Server {
  return createServer({ name: 'test', version: '1' }, { onError: () => undefined })
    .tool('add', { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => `${a + b}`)
    .tool('steps', {}, (_, ctx) => {
      for (const step of [1, 2, 3]) ctx.progress(step, 3);
      return 'done';
    })
    .tool('ask', {}, async (_, ctx) => {
      const answer = await ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
      return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
    })
    .tool('boom', {}, () => {
      throw new TypeError('secret detail');
    })
    .tool('can', {}, (_, ctx) => String(ctx.can('elicit')))
    .resource('note://1', { name: 'note' }, () => 'text') as unknown as Server;
}

async function serve(server: Server = make(), options: ServeHttpOptions = {}) {
  const serving = await serveHttp(server, { limits: { drain: 100 }, ...options });
  onTestFinished(() => serving.close());
  const open = (given: HttpPeerOptions = {}) => HttpPeer.open(serving.url, given);
  return { serving, server, open };
}

describe.each(overHttp)('in $id', (revision) => {
  test('a call is answered with JSON', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/basic/authorization/index/optional',
        '2026-07-28/basic/transports/streamable-http/answer-kinds',
      ],
      '2025-11-25': '2026-07-28/basic/versioning/legacy-with-dual',
    });
    const peer = await (await serve()).open({ revision });
    const response = await peer.send('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await messagesOf(response))[0]?.result?.content?.[0]?.text).toBe('3');
  });

  test('progress makes it a stream, the answer last', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/basic/patterns/progress/send-progress',
        '2026-07-28/basic/transports/streamable-http/answer-kinds',
        '2026-07-28/basic/transports/streamable-http/x-accel-buffering',
      ],
    });
    const peer = await (await serve()).open({ revision });
    const response = await peer.send('tools/call', { name: 'steps', _meta: { progressToken: 't' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const messages = await messagesOf(response);
    expect(messages.map(({ params }) => params?.progress)).toEqual([1, 2, 3, undefined]);
    expect(messages.at(-1)?.result?.content?.[0]?.text).toBe('done');
  });

  test('hides the message of an unknown error', async () => {
    const peer = await (await serve()).open({ revision });
    expect(JSON.stringify(await peer.request('tools/call', { name: 'boom' }))).not.toContain('secret');
  });

  test('two clients with one id get their own answers', async () => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/basic/index/many-conversations' });
    const { open } = await serve();
    const [first, second] = await Promise.all([open({ revision }), open({ revision })]);
    const answers = await Promise.all(
      [first, second].map((peer, index) =>
        peer.request('tools/call', { name: 'add', arguments: { a: index, b: 0 } }),
      ),
    );
    expect(answers.map(({ result }) => result?.content?.[0]?.text)).toEqual(['0', '1']);
  });
});

describe.each(sessions)('in a session of $id', (revision) => {
  test('messages that belong to no request arrive by GET, and each session gets its own', async () => {
    const { open, server } = await serve();
    const [first, second] = await Promise.all([open({ revision }), open({ revision })]);
    await first.request('resources/subscribe', { uri: 'note://1' });
    const [stream, other] = await Promise.all([first.get(), second.get()]);
    server.resourceUpdated('note://1');
    server.removeTool('boom');
    for await (const message of messagesFrom(stream)) {
      expect(message).toMatchObject({ method: 'notifications/resources/updated' });
      break;
    }
    for await (const message of messagesFrom(other)) {
      expect(message).toMatchObject({ method: 'notifications/tools/list_changed' });
      break;
    }
  });

  test('ends with DELETE', async () => {
    showsBy(revision.id, {
      '2025-03-26': ['2025-03-26/lifecycle/http-closed', '2025-03-26/sessions/delete'],
    });
    const peer = await (await serve()).open({ revision });
    expect((await peer.delete()).status).toBe(204);
    expect((await peer.send('ping')).status).toBe(404);
  });
});

const requestingInput = sessions.filter((one) => one.rules.versionHeader);

test.each(requestingInput)('in $id an input request is sent on the stream of its call', async (revision) => {
  const { open } = await serve();
  const peer = await open({ revision, capabilities: everything });
  const response = await peer.send('tools/call', { name: 'ask' });
  const messages = [];
  for await (const message of messagesFrom(response)) {
    messages.push(message);
    if (message.method !== 'elicitation/create') continue;
    const result = { action: 'accept', content: { name: 'Ada' } };
    const taken = await peer.post({ jsonrpc: '2.0', id: message.id, result });
    expect([taken.status, await taken.text()]).toEqual([202, '']);
  }
  expect(messages.map(({ method }) => method)).toEqual(['elicitation/create', undefined]);
  expect(messages.at(-1)?.result?.content?.[0]?.text).toBe('Hello Ada');
});

test.each(requestingInput)('in $id another session cannot answer it', async (revision) => {
  const { open } = await serve();
  const peer = await open({ revision, capabilities: everything });
  const thief = await open({ revision, capabilities: everything });
  const response = await peer.send('tools/call', { name: 'ask' });
  for await (const message of messagesFrom(response)) {
    if (message.method !== 'elicitation/create') {
      expect(message.result?.content?.[0]?.text).toBe('decline');
      break;
    }
    const stolen = { action: 'accept', content: { name: 'Eve' } };
    await thief.post({ jsonrpc: '2.0', id: message.id, result: stolen });
    await peer.post({ jsonrpc: '2.0', id: message.id, result: { action: 'decline' } });
  }
});

const batching = sessions.filter((one) => one.rules.batching);
const single = sessions.filter((one) => !one.rules.batching);

test.each(batching)('$id takes batches', async (revision) => {
  const peer = await (await serve()).open({ revision });
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const response = await peer.post([ping(11), ping(12), { jsonrpc: '2.0', method: 'notifications/x' }]);
  expect(await response.json()).toMatchObject([{ id: 11 }, { id: 12 }]);
  const heard = await peer.post([{ jsonrpc: '2.0', method: 'notifications/x' }]);
  expect([heard.status, await heard.text()]).toEqual([202, '']);
  expect((await peer.post([])).status).toBe(400);
});

test.each(single)('$id takes no batches', async (revision) => {
  const peer = await (await serve()).open({ revision });
  expect((await peer.post([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).status).toBe(400);
});

describe('the stateless revision', () => {
  const revision = latestStateless;
  const open = async () => (await serve()).open({ revision });

  test.each([
    ['initialize', 404, -32601],
    ['ping', 404, -32601],
    ['logging/setLevel', 404, -32601],
    ['resources/subscribe', 404, -32601],
    ['nobody/knows', 404, -32601, '2026-07-28/basic/transports/streamable-http/method-not-found'],
  ])('%s is answered with %i', async (...[method, status, code, ...ids]) => {
    shows(...ids);
    const response = await (await open()).send(method);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ id: 1, error: { code } });
  });

  test('answers an unknown revision with the list of supported ones', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/version-unsupported',
      '2026-07-28/basic/versioning/unsupported-version',
    );
    const response = await (await open()).send(
      'tools/list',
      { _meta: { 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' } },
      { 'mcp-protocol-version': 'v999.0.0' },
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        code: -32022,
        data: { requested: 'v999.0.0', supported: expect.arrayContaining([revision.id]) },
      },
    });
  });

  test.each<[string, Record<string, string | undefined>, ...string[]]>([
    [
      'no version',
      { 'mcp-protocol-version': undefined },
      '2026-07-28/basic/transports/streamable-http/mismatch-status',
    ],
    ['no method', { 'mcp-method': undefined }],
    [
      'another method',
      { 'mcp-method': 'tools/list' },
      '2026-07-28/basic/transports/streamable-http/headers-match-body',
    ],
    ['no name', { 'mcp-name': undefined }],
    ['another name', { 'mcp-name': 'boom' }, '2026-07-28/basic/transports/streamable-http/mismatch-error'],
  ])('headers that do not repeat the request are refused: %s', async (_title, change, ...ids) => {
    shows(...ids);
    const response = await (await open()).send('tools/call', { name: 'add' }, change);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  test('a request without _meta is refused', async () => {
    shows(
      '2026-07-28/basic/index/meta-missing',
      '2026-07-28/basic/index/meta-missing-http',
      '2026-07-28/basic/patterns/mrtr/meta-on-every-request',
    );
    const response = await (await open()).post(
      { jsonrpc: '2.0', id: 5, method: 'tools/list', params: {} },
      { 'mcp-protocol-version': revision.id, 'mcp-method': 'tools/list' },
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 5, error: { code: -32602 } });
  });

  test('rejects an input request without the capability and names it', async () => {
    shows('2026-07-28/basic/index/undeclared-error', '2026-07-28/basic/index/undeclared-status');
    const response = await (await open()).send('tools/call', { name: 'ask' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: expect.anything() } } },
    });
  });

  test('ends the call with an input request, and continues with its answer', async () => {
    const peer = await (await serve()).open({ revision, capabilities: everything });
    const { result } = await peer.request('tools/call', { name: 'ask' });
    expect(result).toMatchObject({ resultType: 'input_required' });
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
    const { requestState } = result as unknown as { requestState: string };
    const answer = await peer.request('tools/call', { name: 'ask', inputResponses, requestState });
    expect(answer.result?.content?.[0]?.text).toBe('Hello Ada');
  });

  test('rejects answers without a request: clients of this revision send none', async () => {
    shows('2026-07-28/basic/transports/streamable-http/no-responses');
    const response = await (await open()).post(
      { jsonrpc: '2.0', id: 1, result: {} },
      { 'mcp-protocol-version': revision.id },
    );
    expect(response.status).toBe(400);
  });

  test('a client that leaves cancels', async () => {
    shows(
      '2026-07-28/basic/patterns/cancellation/http-disconnect',
      '2026-07-28/basic/transports/streamable-http/disconnect-cancels',
      '2026-07-28/basic/transports/streamable-http/stop-work',
    );
    const cancelled = deferred();
    const running = deferred();
    const server = make().tool('wait', {}, (_, ctx) => {
      running.resolve();
      return new Promise<string>(() => ctx.signal.addEventListener('abort', cancelled.resolve));
    });
    const peer = await (await serve(server as unknown as Server)).open({ revision });
    const leaving = new AbortController();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision.id,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const gone = peer.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', _meta } },
      { 'mcp-protocol-version': revision.id, 'mcp-method': 'tools/call', 'mcp-name': 'wait' },
      leaving.signal,
    );
    await running.promise;
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await cancelled.promise;
  });

  test('a listen stream is acknowledged first, receives the changes in its filter, and ends on close', async () => {
    shows(
      '2026-07-28/basic/patterns/subscriptions/acknowledged-first',
      '2026-07-28/basic/patterns/subscriptions/server-ends',
      '2026-07-28/server/tools/list-changed',
    );
    const { open, server, serving } = await serve();
    const peer = await open({ revision });
    const response = await peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const heard = [];
    for await (const message of messagesFrom(response)) {
      heard.push(message.method ?? message.result?.resultType);
      if (heard.length === 1) server.removeTool('boom');
      if (heard.length === 2) void serving.close();
    }
    expect(heard).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'complete',
    ]);
  });
});

describe('without input requests', () => {
  test.each([
    ['JSON only', { sessions: { jsonOnly: true } }],
    ['none at all', { sessions: false as const }],
  ])('%s: rejects input requests and declares nothing', async (_title, options) => {
    showsBy(options.sessions, { false: '2026-07-28/server/resources/optional-features' });
    const { open } = await serve(make(), options);
    const peer = await open({ capabilities: everything });
    expect((await peer.request('tools/call', { name: 'can' })).result?.content?.[0]?.text).toBe('false');
    const { 'mcp-session-id': _, ...outside } = peer.headers;
    const other = await open();
    other.headers = outside;
    const { result } = await other.request('initialize', {
      protocolVersion: peer.revision.id,
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    });
    expect(result?.capabilities?.tools).toEqual(options.sessions === false ? {} : expect.anything());
    const call = await peer.send('tools/call', { name: 'steps', _meta: { progressToken: 1 } });
    const type = options.sessions === false ? 'text/event-stream' : 'application/json';
    expect(call.headers.get('content-type')).toBe(type);
    expect((await peer.get()).status).toBe(405);
  });
});

test('a handler for a server of one’s own answers at any path', async () => {
  const handler = toNodeHandler(make());
  const http = createHttpServer(handler).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const peer = await HttpPeer.open(`http://127.0.0.1:${(http.address() as AddressInfo).port}/any/where`);
  expect((await peer.request('tools/call', { name: 'add', arguments: { a: 1, b: 1 } })).result).toBeDefined();
  expect(handler.sessions).toBe(1);
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
