import { MetaKey } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { HttpPeer, type HttpReplies, modern } from '../../test/http-peer.js';
import type { WireMessage } from '../../test/scripted-server.js';

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
  shows(
    '2026-07-28/basic/transports/streamable-http/new-post',
    '2026-07-28/basic/transports/streamable-http/metadata-headers',
    '2026-07-28/basic/transports/streamable-http/version-header',
    '2026-07-28/basic/transports/streamable-http/version-header-matches',
    '2026-07-28/basic/transports/streamable-http/mcp-method',
    '2026-07-28/basic/transports/streamable-http/mcp-name',
    '2026-07-28/basic/transports/streamable-http/mcp-name-encoded',
    '2026-07-28/basic/transports/streamable-http/client-standard-headers',
  );
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
  shows(
    '2026-07-28/basic/patterns/cancellation/client-cancels',
    '2026-07-28/basic/patterns/cancellation/timeout-cancels',
  );
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

it('sends a request again under another id when its stream breaks', async () => {
  shows('2026-07-28/basic/transports/streamable-http/made-anew');
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

it('comments on a stream are nothing to the client', async () => {
  shows('2026-07-28/basic/transports/streamable-http/comments-ignored');
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

it('can repeat a call after the user declined its page', async () => {
  shows('2026-07-28/client/elicitation/manual-controls');
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
