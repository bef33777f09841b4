import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const rounds = [
  '2026-07-28/basic/patterns/mrtr/asks-in-results',
  '2026-07-28/basic/patterns/mrtr/something-asked',
  '2026-07-28/basic/patterns/mrtr/input-requests-kinds',
  '2026-07-28/basic/patterns/mrtr/input-requests-unique',
  '2026-07-28/basic/patterns/mrtr/construct-inputs',
  '2026-07-28/basic/patterns/mrtr/echo-state',
  '2026-07-28/basic/patterns/mrtr/no-state-invented',
  '2026-07-28/basic/patterns/mrtr/new-id',
  '2026-07-28/basic/patterns/mrtr/own-retry-only',
];

const make = () =>
  createServer({ name: 'asking', version: '1.0.0' })
    .tool('order', {}, async (_, ctx) => {
      const [wood, roots] = await Promise.all([
        ctx.elicit('wood', { message: 'Which wood?', schema: z.object({ wood: z.string() }) }),
        ctx.roots('where'),
      ]);
      const sure = await ctx.elicit('sure', { message: 'Sure?', schema: z.object({ sure: z.boolean() }) });
      return `${wood.action} ${roots.length} ${sure.action}`;
    })
    .tool('measure', {}, () => '40 mm');

requirement(
  rounds,
  { title: 'Two rounds of questions travel in results, beside calls that ask nothing.' },
  async ({ serve }) => {
    const { client, wire } = await serve(make(), {
      onElicit: ({ message }) =>
        message === 'Sure?' ? { action: 'decline' } : { action: 'accept', content: { wood: 'oak' } },
      roots: [{ uri: 'file:///bench' }],
    });
    const [ordered, measured] = await Promise.all([client.callTool('order'), client.callTool('measure')]);
    expect(ordered.content).toEqual([{ type: 'text', text: 'accept 1 decline' }]);
    expect(measured.content).toEqual([{ type: 'text', text: '40 mm' }]);

    // Only requests of the client and responses of the server have an id.
    for (const { id, method } of wire.from('server'))
      expect(id === undefined || method === undefined).toBe(true);
    for (const { id, method } of wire.from('client'))
      expect(id === undefined || method !== undefined).toBe(true);

    const asked = wire.from('server').filter(({ result }) => result?.resultType === 'input_required');
    expect(asked.map(({ result }) => Object.keys(result?.inputRequests ?? {}))).toEqual([
      ['wood', 'where'],
      ['sure'],
    ]);
    const kinds = asked.flatMap(({ result }) => Object.values(result?.inputRequests ?? {}));
    expect(kinds).toMatchObject([
      { method: 'elicitation/create' },
      { method: 'roots/list' },
      { method: 'elicitation/create' },
    ]);
    const calls = wire.sent('client', 'tools/call');
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    const orders = calls.filter(({ params }) => params?.name === 'order').map(({ params }) => params);
    expect(orders.map((params) => params?.requestState)).toEqual([
      undefined,
      ...asked.map(({ result }) => result?.requestState),
    ]);
    expect(orders.map((params) => Object.keys(params?.inputResponses ?? {}))).toEqual([
      [],
      ['wood', 'where'],
      ['sure'],
    ]);
    const [measure] = calls.filter(({ params }) => params?.name === 'measure');
    expect(measure?.params).not.toHaveProperty('inputResponses');
    expect(measure?.params).not.toHaveProperty('requestState');
  },
);

requirement(['2026-07-28/basic/patterns/mrtr/declared-only'], {}, async ({ serve }) => {
  const { client, wire } = await serve(make());
  await expect(client.callTool('order')).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: expect.anything() },
  });
  for (const { result } of wire.from('server')) expect(result?.resultType).not.toBe('input_required');
});
