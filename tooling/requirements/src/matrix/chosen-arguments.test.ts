import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

requirement(['2026-07-28/server/utilities/completion/context'], {}, async ({ serve }) => {
  const server = createServer({ name: 'completing', version: '1.0.0' }).prompt(
    'order',
    {
      args: z.object({ wood: z.string(), grade: z.string() }),
      complete: { grade: (typed, ctx) => [`${ctx.chosen.wood ?? 'any'} ${typed}`] },
    },
    () => 'x',
  );
  const { client, wire } = await serve(server);
  const query = {
    ref: { type: 'ref/prompt', name: 'order' },
    argument: { name: 'grade', value: 'r' },
  } as const;
  const context = { arguments: { wood: 'oak' } };
  expect((await client.complete({ ...query, context })).values).toEqual(['oak r']);
  expect(wire.sent('client', 'completion/complete')[0]?.params).toMatchObject({ context });
  expect((await client.complete(query)).values).toEqual(['any r']);
});
