import { MetaKey } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { HttpPeer, type HttpReplies, modern } from '../test/http-peer.js';
import type { WireMessage } from '../test/scripted-server.js';

const hints = { ttlMs: 0, cacheScope: 'private' };
const replies: HttpReplies = {
  'tools/list': (call) => call.result({ tools: [], ...hints }),
  'tools/call': (call) => call.result({ content: [] }),
  'prompts/get': (call) => call.result({ messages: [] }),
  'resources/read': (call) => call.result({ contents: [], ...hints }),
  'subscriptions/listen': (call) => {
    const _meta = { [MetaKey.subscriptionId]: call.message.id };
    const notifications = call.message.params?.notifications;
    call.event({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
  },
};

it('every message is a POST of its own with its headers', async () => {
  const peer = await HttpPeer.start(modern(replies));
  const client = await peer.connect();
  await Promise.all([
    client.tools().all(),
    client.callTool('größe'),
    client.getPrompt('greet'),
    client.readResource('file:///a b'),
  ]);
  await client.watch({ tools: true }, () => undefined);
  expect(peer.calls).toHaveLength(6);
  const names = new Map<string, unknown>();
  for (const { headers, message } of peer.calls) {
    expect(Array.isArray(message)).toBe(false);
    expect(headers).toMatchObject({
      'mcp-protocol-version': versionOf(message),
      'mcp-method': message.method,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
    names.set(message.method ?? '', headers['mcp-name']);
  }
  expect(names).toEqual(
    new Map<string, unknown>([
      ['server/discover', undefined],
      ['tools/list', undefined],
      ['tools/call', '=?base64?Z3LDtsOfZQ==?='],
      ['prompts/get', 'greet'],
      ['resources/read', 'file:///a b'],
      ['subscriptions/listen', undefined],
    ]),
  );
});

it('a call that is given up closes its stream, and sends nothing', async () => {
  const peer = await HttpPeer.start(
    modern({ 'tools/call': (call) => call.event({ method: 'notifications/message', params: {} }) }),
  );
  const client = await peer.connect();
  const giving = new AbortController();
  const call = client.callTool('t', {}, { signal: giving.signal }).catch((error) => error.reason);
  const { response } = await peer.call('tools/call');
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  giving.abort();
  expect(await call).toBe('cancelled');
  await closed;
  expect(peer.heard).toEqual(['server/discover', 'tools/call']);
});

it('a request whose stream broke is made anew, under another id', async () => {
  let count = 0;
  const peer = await HttpPeer.start(
    modern({
      'resources/read': (call) => {
        if (++count > 1) return call.result({ contents: [], ...hints });
        call.response.writeHead(200, { 'content-type': 'text/event-stream' });
        call.response.write('id: 7\nretry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
        setImmediate(() => call.reset());
      },
    }),
  );
  const client = await peer.connect();
  expect(await client.readResource('a:b')).toMatchObject({ contents: [] });
  const [first, second] = peer.calls.filter((call) => call.name === 'resources/read');
  expect(second?.message.id).not.toBe(first?.message.id);
  expect(second?.headers).not.toHaveProperty('last-event-id');
  expect(peer.heard).not.toContain('GET');
});

it('what a tool says of itself is no reason to call it twice', async () => {
  const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: false };
  const tool = { name: 't', inputSchema: { type: 'object' }, annotations };
  const peer = await HttpPeer.start(
    modern({
      'tools/list': (call) => call.result({ tools: [tool], ...hints }),
      'tools/call': (call) => call.reset(),
    }),
  );
  const client = await peer.connect();
  expect((await client.tools().all())[0]?.annotations).toEqual(annotations);
  await expect(client.callTool('t')).rejects.toMatchObject({ name: 'TransportError' });
  expect(peer.heard).toEqual(['server/discover', 'tools/list', 'tools/call']);
});

it('comments on a stream are nothing to the client', async () => {
  const errors: unknown[] = [];
  const peer = await HttpPeer.start(
    modern({
      'tools/call': ({ response, message }) => {
        const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [] } });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`:\r\n: keep-alive\n\n:\n: {"jsonrpc":"2.0"}\ndata: ${answer}\n:\n\n: bye\n\n`);
      },
    }),
  );
  const client = await peer.connect({ onError: (error) => errors.push(error) });
  expect((await client.callTool('t')).content).toEqual([]);
  expect(errors).toEqual([]);
});

it('a call whose page was declined may be made again', async () => {
  const page = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go', url: 'https://a.example' },
  };
  const peer = await HttpPeer.start(
    modern({
      'tools/call': (call) => {
        const given = call.message.params?.inputResponses as { page?: { action: string } } | undefined;
        if (given === undefined) call.result({ resultType: 'input_required', inputRequests: { page } });
        else call.result({ content: [{ type: 'text', text: given.page?.action }] });
      },
    }),
  );
  const answers = ['cancel', 'decline', 'accept'] as const;
  let at = 0;
  const client = await peer.connect({ onElicitUrl: () => ({ action: answers[at++] ?? 'cancel' }) });
  const seen: unknown[] = [];
  for (const _ of answers) seen.push((await client.callTool('t')).content[0]);
  expect(seen).toEqual(answers.map((text) => ({ type: 'text', text })));
});

function versionOf({ params }: WireMessage): unknown {
  return (params?._meta as Record<string, unknown> | undefined)?.[MetaKey.protocolVersion];
}
