import { createHandles, createServer, type Server } from '@tenon/mcp-server';
import { FakeClock } from '@tenon/mcp-testing';
import { z } from 'zod';

const basketInput = z.object({ basket: z.string() });

/** Adds tools that keep a basket between calls. */
export function addBaskets(server: Server, clock: FakeClock): void {
  const baskets = createHandles<string[]>({
    prefix: 'bsk',
    name: 'basket',
    openedBy: 'take_basket',
    idle: 60_000,
    clock,
  });
  server.tool('take_basket', { description: 'Takes an empty basket' }, (_input, ctx) =>
    baskets.open(ctx, []),
  );
  server.tool(
    'put',
    { description: 'Puts something in', input: basketInput.extend({ thing: z.string() }) },
    async ({ basket, thing }, ctx) => {
      const things = await baskets.get(ctx, basket);
      things.push(thing);
      return things.join(', ');
    },
  );
  server.tool(
    'leave_basket',
    { description: 'Puts it back', input: basketInput },
    async ({ basket }, ctx) => {
      await baskets.close(ctx, basket);
      return 'Thank you';
    },
  );
}

/** Tools that need a basket, and one that moves the clock by a minute. */
export function handlesServer(): Server {
  const clock = new FakeClock();
  const server = createServer({ name: 'handles', version: '1.0.0' }, { logging: false });
  addBaskets(server, clock);
  server.tool('rest', { description: 'Rests for a minute' }, async () => {
    await clock.advance(60_000);
    return 'Rested';
  });
  return server;
}

/** Lists and resources with cache hints, public and private. */
export function cachingServer(): Server {
  const server = createServer(
    { name: 'caching', version: '1.0.0' },
    { logging: false, cache: { lists: 60_000 } },
  );
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.prompt('greet', { description: 'Says hello' }, () => 'Hello!');
  const cache = { ttlMs: 300_000, cacheScope: 'public' } as const;
  server.resource('file:///plans/joint.txt', { name: 'joint.txt', cache }, () => 'Cut here.');
  server.resource('file:///diary.txt', { name: 'diary.txt', visible: () => true }, () => 'Rain.');
  return server;
}
