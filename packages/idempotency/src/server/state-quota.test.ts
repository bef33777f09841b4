import { latestHandshake, latestStateless, type Principal, type Revision } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpPeer } from '../../../server/test/http-peer.js';
import { TestProcesses } from '../../../server/test/processes.js';
import type { Json, WireMessage } from '../../../server/test/wire-peer.js';
import { idempotency, idempotencyKey } from '../server.js';

const limits = { stateBytesPerCaller: 20_000 };
const ann: Principal = { id: 'ann' };
const bob: Principal = { id: 'bob' };
const refused = {
  code: -31004,
  message: expect.stringContaining('has reached limits.stateBytesPerCaller'),
};

const textOf = ({ result }: WireMessage) => (result?.content?.[0] as Json | undefined)?.text;

/** A server with a tool that pays, and clients of several callers. */
async function payments(define: (server: Server) => void = () => {}) {
  const processes = new TestProcesses();
  const server = await processes.server({ limits, extensions: [idempotency()] });
  const runs: string[] = [];
  server.tool('pay', { input: z.object({ text: z.string() }) }, ({ text }) => {
    runs.push(text.slice(0, 10));
    return text;
  });
  define(server);
  const handler = toFetchHandler(server);
  const peer = (given: { principal?: Principal; remoteAddress?: string }, revision: Revision) =>
    HttpPeer.open('http://localhost/mcp', {
      revision,
      fetch: (input, init) => handler.serve(new Request(input, init), given),
    });
  const pay = async (given: Parameters<typeof peer>[0], key: string, length: number) => {
    const client = await peer(given, latestStateless);
    const text = `${key} ${'x'.repeat(length)}`;
    const params = { name: 'pay', arguments: { text }, _meta: { [idempotencyKey]: key } };
    const response = await client.send('tools/call', params);
    return { status: response.status, ...((await response.json()) as WireMessage) };
  };
  return { processes, server, runs, peer, pay };
}

describe('the bytes of a caller in the state', () => {
  it('refuse keyed calls before they begin, with 429, and not those of other callers', async () => {
    const { processes, pay, runs } = await payments();
    for (const key of ['a', 'b']) expect(await pay({ principal: ann }, key, 6_000)).toHaveProperty('result');
    // The result of this call is not kept: its record is.
    expect(await pay({ principal: ann }, 'c', 9_000)).toHaveProperty('result');
    let answer = await pay({ principal: ann }, 'd', 10);
    for (let tries = 0; answer.error === undefined && tries < 100; tries++)
      answer = await pay({ principal: ann }, `d${tries}`, 200);
    const before = runs.length;
    for (let tries = 0; tries < 20; tries++)
      expect(await pay({ principal: ann }, `e${tries}`, 10)).toMatchObject({ status: 429, error: refused });
    expect(runs).toHaveLength(before);
    expect(await pay({ principal: bob }, 'a', 6_000)).toHaveProperty('result');
    expect(await pay({ remoteAddress: '192.0.2.1' }, 'a', 6_000)).toHaveProperty('result');
    // Clients without a principal and an address are one caller.
    expect(await pay({}, 'a', 6_000)).toHaveProperty('result');
    expect(processes.errors.map(String)).toEqual([
      expect.stringMatching(
        /^Error: The caller \["","ann"\] has used up its share of the state, of 20000 bytes/,
      ),
    ]);
  });

  it('do not cost the results of earlier calls', async () => {
    const { pay, runs } = await payments();
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await pay({ principal: ann }, key, 5_000);
    const again = await pay({ principal: ann }, 'a', 5_000);
    expect(textOf(again)).toMatch(/^a x{5000}$/);
    expect(runs.filter((run) => run.startsWith('a '))).toHaveLength(1);
  });

  it('refuse sessions with 429 until some of it is deleted', async () => {
    const { pay, peer, server } = await payments();
    server.resource('notes://{name}', {}, () => 'a note');
    const first = await peer({ principal: ann }, latestHandshake);
    for (let count = 0; (await pay({ principal: ann }, `${count}`, 400)).status === 200; count++)
      expect(count).toBeLessThan(100);
    const opening = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: latestHandshake.id,
        capabilities: {},
        clientInfo: { name: 'x'.repeat(1_000), version: '1' },
      },
    };
    const { headers } = first;
    first.headers = {};
    const response = await first.post(opening);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await response.json()).toMatchObject({ error: refused });
    expect(response.headers.has('mcp-session-id')).toBe(false);
    first.headers = headers;
    const uri = `notes://${'x'.repeat(2_000)}`;
    const subscribed = await first.send('resources/subscribe', { uri });
    expect(await subscribed.json()).toMatchObject({ error: refused });
    expect((await first.delete()).status).toBe(204);
  });
});
