import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HttpPeer, messagesFrom, messagesOf } from '../../test/http-peer.js';
import { handshakeRevisions } from '../../test/wire-peer.js';
import { toFetchHandler } from '../fetch.js';
import { createServer } from '../server.js';

function peerWithoutSession(revision: (typeof handshakeRevisions)[number]) {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const server = createServer({ name: 'test', version: '1' }, { onError: () => undefined })
    .tool('add', { input: z.object({ a: z.number() }) }, ({ a }) => `${a + 1}`)
    .tool('steps', {}, (_, ctx) => {
      ctx.log('debug', 'not wanted');
      ctx.progress(1, 2);
      ctx.log('info', 'half');
      ctx.progress(2, 2);
      return 'done';
    })
    .tool('slow', {}, async (_, ctx) => {
      ctx.progress(1, 2);
      await held;
      return `aborted: ${ctx.signal.aborted}`;
    })
    .tool('ask', {}, async (_, ctx) => {
      if (ctx.can('elicit')) return 'can';
      await ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
      return 'asked';
    });
  const handler = toFetchHandler(server, { sessions: false });
  const peer = new HttpPeer('http://localhost/mcp', {
    revision,
    fetch: (input, init) => handler(new Request(input, init)),
  });
  peer.headers = { 'mcp-protocol-version': revision.id };
  return { peer, goOn };
}

const _meta = { progressToken: 'p' };

describe.each(handshakeRevisions)('without a session in $id', (revision) => {
  test('sends progress and log messages of a call ahead of its result on the stream of its POST', async () => {
    const { peer } = peerWithoutSession(revision);
    const response = await peer.send('tools/call', { name: 'steps', _meta });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const messages = await messagesOf(response);
    expect(messages.map(({ params }) => params?.progress ?? params?.data)).toEqual([1, 'half', 2, undefined]);
    expect(messages.at(-1)?.result?.content?.[0]?.text).toBe('done');
  });

  test('sends progress while the handler still runs', async () => {
    const { peer, goOn } = peerWithoutSession(revision);
    const seen: unknown[] = [];
    for await (const message of messagesFrom(await peer.send('tools/call', { name: 'slow', _meta }))) {
      seen.push(message.params?.progress ?? message.result?.content?.[0]?.text);
      goOn();
    }
    expect(seen).toEqual([1, 'aborted: false']);
  });

  test('answers with JSON when nothing goes ahead of the result', async () => {
    const { peer } = peerWithoutSession(revision);
    const response = await peer.send('tools/call', { name: 'add', arguments: { a: 1 }, _meta });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await messagesOf(response))[0]?.result?.content?.[0]?.text).toBe('2');
  });

  test('fails input requests with an error that says why', async () => {
    const { peer } = peerWithoutSession(revision);
    const answer = await peer.request('tools/call', { name: 'ask' });
    expect(answer.error !== undefined || answer.result?.isError).toBe(true);
    expect(JSON.stringify(answer)).toContain(
      revision.rules.inputFeatures.elicit ? 'there is no session to ask in' : `${revision.id} does not have`,
    );
  });

  test('declares logging at the handshake, and nothing that needs a session', async () => {
    const { peer } = peerWithoutSession(revision);
    const { result } = await peer.request('initialize', {
      protocolVersion: revision.id,
      capabilities: {},
      clientInfo: { name: 'peer', version: '1' },
    });
    expect(result?.capabilities).toEqual({ logging: {}, tools: {} });
  });
});

test('without a session streams what the requests of a batch report', async () => {
  const batching = handshakeRevisions.find(({ rules }) => rules.batching);
  const { peer } = peerWithoutSession(batching!);
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'steps', _meta },
  });
  const messages = await messagesOf(await peer.post([call(1), call(2)]));
  expect(messages).toHaveLength(7);
  expect(messages.at(-1)).toMatchObject([{ id: 1 }, { id: 2 }]);
});
