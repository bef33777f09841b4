import { ErrorCode } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { everyRevision, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const schema = z.object({ unit: z.string() });
const accepted = { unit: { action: 'accept', content: { unit: 'C' } }, day: { action: 'decline' } };

/** A server with middleware that notes the rounds, outside of middleware that changes the arguments. */
function noting() {
  const rounds: unknown[] = [];
  const server = createServer({ name: 'test', version: '1' })
    .use(async (call, next) => {
      if (call.method !== 'tools/call') return next();
      rounds.push(await call.round().catch((error: { readonly code?: unknown }) => error.code));
      return next();
    })
    .use((call, next) =>
      call.method === 'tools/call' ? next({ ...call.params, arguments: { changed: true } }) : next(),
    )
    .tool('t', { input: { type: 'object' } }, async (_, ctx) => {
      await ctx.elicit('unit', { message: 'Unit?', schema });
      await ctx.elicit('day', { message: 'Day?', schema });
      return 'done';
    })
    .tool('plain', { input: { type: 'object' } }, () => 'done');
  return { server, rounds };
}

test('call.round() numbers the requests of one call when each answer to an input request is a request', async () => {
  const { server, rounds } = noting();
  const peer = await WirePeer.open(server, latestStateless, { elicitation: { form: {} } });
  const call = { name: 't', arguments: { a: 1 } };
  let more: object = {};
  for (let round = 0; round < 3; round++) {
    const { result } = await peer.request('tools/call', { ...call, ...more });
    more = { requestState: result?.requestState, inputResponses: accepted };
    if (result?.content !== undefined) expect(result.content[0]?.text).toBe('done');
  }
  expect(rounds).toEqual([1, 2, 3]);
});

test('call.round() rejects when the state belongs to another call, and the call is refused', async () => {
  const { server, rounds } = noting();
  const peer = await WirePeer.open(server, latestStateless, { elicitation: { form: {} } });
  const { result } = await peer.request('tools/call', { name: 't', arguments: { a: 1 } });
  const requestState = result?.requestState;
  const { error } = await peer.request('tools/call', { name: 't', arguments: { a: 2 }, requestState });
  expect(error?.code).toBe(ErrorCode.invalidParams);
  expect(rounds).toEqual([1, ErrorCode.invalidParams]);
});

test.each(everyRevision)('call.round() is 1 for a call without input requests in $id', async (revision) => {
  const { server, rounds } = noting();
  const peer = await WirePeer.open(server, revision);
  await peer.request('tools/call', { name: 'plain', arguments: {} });
  expect(rounds).toEqual([1]);
});
