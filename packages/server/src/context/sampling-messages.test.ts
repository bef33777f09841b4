import type { CreateMessageParams } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const everything = { sampling: {} };

describe('sampling', () => {
  const text = { type: 'text', text: '?' } as const;
  const sampling = (params: CreateMessageParams) =>
    createServer(info, { onError: () => undefined }).tool('t', {}, async (_, ctx) => {
      const { stopReason } = await ctx.sample('s', params);
      return String(stopReason);
    });

  test.each([
    ['no role', { content: text }],
    ['no content', { role: 'user' }],
    ['a role of its own', { role: 'system', content: text }],
    ['content of no kind', { role: 'user', content: { type: 'smell' } }],
  ])('rejects a sampling message without role or content: %s', async (_, message) => {
    shows('2026-07-28/client/sampling/role-and-content');
    const server = sampling({ messages: [message as never], maxTokens: 5 });
    const peer = await WirePeer.open(server, revision, everything);
    const answer = await peer.request('tools/call', { name: 't' });
    expect(answer.result?.resultType).not.toBe('input_required');
    expect(answer.result?.isError ?? answer.error?.code === -32603).toBe(true);
  });
});
