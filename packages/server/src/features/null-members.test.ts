import { MetaKey } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { everyRevision, latestHandshake, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const seen: unknown[] = [];
const server = createServer({ name: 'test', version: '1' })
  .tool('echo', { input: { type: 'object' } }, (input, ctx) => {
    seen.push(input);
    ctx.progress(1);
    return 'done';
  })
  .prompt('greet', {}, () => 'hello');

describe.each(everyRevision)('a client that speaks $id', (revision) => {
  const stateless = revision.lifecycle === 'stateless';
  const open = (capabilities: object = {}) => WirePeer.open(server, revision, capabilities);

  test('may send null and empty lists for optional members', async () => {
    seen.length = 0;
    const peer = await open({ roots: null, sampling: null, elicitation: [], experimental: null });
    const meta = { progressToken: null, ...(stateless && { [MetaKey.clientInfo]: null }) };
    const answers = [
      await peer.request('tools/list', { cursor: null }, meta),
      await peer.request('prompts/get', { name: 'greet', arguments: null }, meta),
      await peer.request('tools/call', { name: 'echo', arguments: null }, meta),
      await peer.request('tools/call', { name: 'echo', arguments: [] }, meta),
      await peer.request('tools/call', { name: 'echo', task: null, requestState: null }, meta),
    ];
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined));
    expect(seen).toEqual([{}, {}, {}]);
    // No progress: nothing is a token.
    expect(peer.received.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
  });

  test('has its null arguments as they are', async () => {
    seen.length = 0;
    const given = { a: null, b: [], c: { d: null, e: [] } };
    const answer = await (await open()).request('tools/call', { name: 'echo', arguments: given, task: null });
    expect(answer.error).toBeUndefined();
    expect(seen).toEqual([given]);
  });

  test('receives the problem of null in a required member', async () => {
    const answer = await (await open()).request('tools/call', { name: null, arguments: null });
    expect(answer.error).toMatchObject({ code: -32602, message: 'params.name: expected a string' });
  });
});

test('a request with null params is one without', async () => {
  const peer = await WirePeer.open(server, latestHandshake);
  peer.raw({ jsonrpc: '2.0', id: 'a', method: 'tools/list', params: null });
  peer.raw({ jsonrpc: '2.0', id: 'b', method: 'tools/list', params: [] });
  for (const id of ['a', 'b'])
    expect((await peer.next((message) => message.id === id)).error).toBeUndefined();
});
