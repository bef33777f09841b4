import { request as nodeRequest } from 'node:http';
import { MetaKey, type ServerEvent, serverPort } from '@tenon/mcp-protocol';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { TestProcesses } from '../test/processes.js';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../test/wire-peer.js';
import { serveHttp } from './http.js';
import { createServer } from './server.js';

/** A server with a tool for each outcome, and its events of one type. */
function watched(type: ServerEvent['type'], options: Parameters<typeof createServer>[1] = {}) {
  const events: ServerEvent[] = [];
  const server = createServer({ name: 'test', version: '1' }, { onError: () => {}, ...options })
    .tool('plain', { input: z.object({ token: z.string().optional() }) }, () => 'done')
    .tool('fails', {}, () => {
      throw new Error('the password is hunter2');
    })
    .tool('asks', {}, async (_, ctx) => {
      const { action } = await ctx.elicit('name', {
        message: 'Who?',
        schema: z.object({ name: z.string() }),
      });
      return action;
    });
  server.onEvent((event) => {
    if (event.type === type) events.push(event);
  });
  return { server, events };
}

const delivered = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sends a POST; returns its status. */
async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': latestHandshake.id,
      ...headers,
    },
    body,
  });
  await response.text();
  return response.status;
}

/** Opens a session; returns its id. */
async function openSession(url: string, name = 'peer'): Promise<string> {
  const params = {
    protocolVersion: latestHandshake.id,
    capabilities: {},
    clientInfo: { name, version: '1' },
  };
  const opened = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await opened.text();
  return opened.headers.get('mcp-session-id') ?? '';
}

test.each(everyRevision)('each request is one event with its outcome in $id', async (revision) => {
  const { server, events } = watched('request');
  const peer = await WirePeer.open(server, revision);
  await peer.request('tools/call', { name: 'plain', arguments: { token: 'hunter2' } });
  await peer.request('tools/call', { name: 'fails' });
  await peer.request('tools/call', { name: 'nothing' });
  await peer.request('no/method', {});
  await delivered();
  const calls = events.filter((event) => event.type === 'request' && event.method !== 'initialize');
  expect(calls).toMatchObject([
    { method: 'tools/call', name: 'plain', outcome: 'ok', revision: revision.id, transport: 'memory' },
    { method: 'tools/call', name: 'fails', outcome: 'tool_error' },
    { method: 'tools/call', name: 'nothing', outcome: 'error', code: -32602 },
    { method: 'no/method', outcome: 'error', code: -32601 },
  ]);
  for (const call of calls) expect(call).toHaveProperty('milliseconds', expect.any(Number));
  expect(JSON.stringify(events)).not.toContain('hunter2');
  const sessions = new Set(calls.map((call) => ('session' in call ? call.session : undefined)));
  if (revision.lifecycle === 'stateless') expect([...sessions]).toEqual([undefined]);
  else
    expect(calls[0]).toMatchObject({ client: { name: 'peer', version: '1' }, session: expect.any(String) });
});

test('a refused request has the session and the client of its peer, and no control character of it', async () => {
  const { server, events } = watched('request');
  const peer = await WirePeer.open(server, latestHandshake);
  await peer.request('no/\u001b[31m\nmethod', {});
  await delivered();
  expect(events.at(-1)).toMatchObject({
    method: 'no/ method',
    code: -32601,
    reason: expect.stringContaining('Method not found'),
    client: { name: 'peer' },
    session: expect.stringMatching(/^\w{12}$/),
  });
  expect(JSON.stringify(events)).not.toMatch(/\\u001b|\\n/);
});

test('the rounds of one call have their numbers', async () => {
  const { server, events } = watched('request');
  const peer = await WirePeer.open(server, latestStateless, { elicitation: { form: {} } });
  const first = await peer.request('tools/call', { name: 'asks' });
  const { requestState, inputRequests } = first.result as Record<string, unknown>;
  const [key = ''] = Object.keys(inputRequests as object);
  await peer.request('tools/call', {
    name: 'asks',
    requestState,
    inputResponses: { [key]: { action: 'decline' } },
  });
  await delivered();
  expect(events).toMatchObject([{ outcome: 'input_required' }, { outcome: 'ok', round: 2 }]);
  expect(events[0]).not.toHaveProperty('round');
});

test('a request that its client cancels is one event, even if its handler ends later', async () => {
  let [start, end] = [(): void => {}, (): void => {}];
  const started = new Promise<void>((resolve) => (start = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { server, events } = watched('request', { onCancelled: () => {} });
  server.tool('waits', {}, async () => {
    start();
    await ended;
    return 'late';
  });
  const peer = await WirePeer.open(server, latestHandshake);
  const requestId = peer.send('tools/call', { name: 'waits' });
  await started;
  peer.notify('notifications/cancelled', { requestId });
  await peer.request('ping');
  end();
  await peer.request('ping');
  await delivered();
  const outcomes = events.flatMap((event) =>
    event.type === 'request' && event.name !== undefined ? [event.outcome] : [],
  );
  expect(outcomes).toEqual(['cancelled']);
});

test.each([
  ['a wrong host', '{}', { host: 'evil.example' }, 403],
  ['text that is not JSON', 'hunter2', {}, 400],
  [
    'a revision that nobody speaks',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    { 'mcp-protocol-version': '1999-01-01' },
    400,
  ],
  [
    'a session that does not exist',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    { 'mcp-session-id': 'none' },
    404,
  ],
] as const)(
  '%s over HTTP leaves an event with status, reason and address',
  async (...[, body, headers, status]) => {
    const { server, events } = watched('refused');
    const serving = await serveHttp(server, { port: 0 });
    const answered = await new Promise<number>((resolve, reject) => {
      const sent = nodeRequest(`${serving.url}?token=hunter2`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': latestHandshake.id,
          ...headers,
        },
      });
      sent.on('error', reject).on('response', (response) => resolve(response.resume().statusCode ?? 0));
      sent.end(body);
    });
    expect(answered).toBe(status);
    await delivered();
    expect(events).toMatchObject([
      { status, reason: expect.stringMatching(/\w/), address: '127.0.0.1', path: 'POST /mcp' },
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
    await serving.close();
  },
);

test('a session over HTTP is opened, and ends with a reason', async () => {
  const events: ServerEvent[] = [];
  const server = createServer({ name: 'test', version: '1' });
  server.onEvent((event) => {
    if (event.type.startsWith('session-')) events.push(event);
  });
  const serving = await serveHttp(server, { port: 0 });
  const session = await openSession(serving.url, 'peer\u001b[31m');
  const about = {
    session: session.slice(0, 12),
    address: '127.0.0.1',
    client: { name: 'peer', version: '1' },
  };
  await fetch(serving.url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
  await delivered();
  expect(events).toMatchObject([
    { type: 'session-opened', ...about, revision: latestHandshake.id },
    { type: 'session-ended', ...about, reason: expect.stringMatching(/\w/) },
  ]);
  expect(JSON.stringify(events)).not.toContain(session);
  await serving.close();
});

test('a session that another process opened is restored', async () => {
  const processes = new TestProcesses();
  const [one, other] = [await processes.server(), await processes.server()];
  const types: string[] = [];
  other.onEvent(({ type }) => void types.push(type));
  const [first, second] = [await serveHttp(one, { port: 0 }), await serveHttp(other, { port: 0 })];
  const session = await openSession(first.url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  expect(await post(second.url, body, { 'mcp-session-id': session })).toBe(200);
  await delivered();
  expect(types).toEqual(['session-restored', 'request']);
});

test('an error that no peer receives is an event, and is written once', async () => {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = createServer({ name: 'test', version: '1' }, { log }).tool('fails', {}, () => {
    throw new Error('no disk, token=hunter2hunter2hunter2');
  });
  const peer = await WirePeer.open(server, latestStateless);
  await peer.request('tools/call', { name: 'fails' });
  await delivered();
  expect(log.error).toHaveBeenCalledTimes(1);
  const [fields, message] = log.error.mock.calls[0] as [Record<string, unknown>, string];
  expect(message).toBe('tool fails failed');
  expect(fields.error).toMatch(/^Error: no disk.*\n {4}at /s);
  expect(JSON.stringify(fields)).not.toContain('hunter2hunter2');
  expect(log.info).toHaveBeenCalledTimes(1);
  expect(log.info.mock.calls[0]?.[1]).toMatch(/^tools\/call fails: tool_error in \d+ ms$/);
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
});

test('a logger that throws fails no call, and hides no later event', async () => {
  const seen: string[] = [];
  const log = (event: ServerEvent) => {
    seen.push(event.type);
    throw new Error('the disk is full');
  };
  const server = createServer({ name: 'test', version: '1' }, { log }).tool('plain', {}, () => 'done');
  const peer = await WirePeer.open(server, latestStateless);
  for (let call = 0; call < 2; call++)
    expect((await peer.request('tools/call', { name: 'plain' })).result).toMatchObject({
      content: [{ text: 'done' }],
    });
  await delivered();
  expect(seen).toEqual(['request', 'request']);
});

test('events beyond 10,000 in one turn are counted, and the rest is delivered', async () => {
  const { server, events } = watched('dropped');
  let requests = 0;
  server.onEvent(({ type }) => (type === 'request' ? requests++ : undefined));
  const exchange = { facts: {}, send: () => undefined };
  const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
  for (let id = 0; id < 10_003; id++)
    void server[serverPort].answer({ jsonrpc: '2.0', id, method: 'no/such', params: { _meta } }, exchange);
  await delivered();
  expect(requests).toBe(10_000);
  expect(events).toEqual([{ type: 'dropped', count: 3 }]);
});

test('a listener that was removed receives nothing, and then no events are made', async () => {
  const { server } = watched('request');
  const seen: ServerEvent[] = [];
  const stop = server.onEvent((event) => void seen.push(event));
  stop();
  const peer = await WirePeer.open(server, latestStateless);
  await peer.request('tools/call', { name: 'plain' });
  await delivered();
  expect(seen).toEqual([]);
});
