import { createHandles, createServer, type Server } from '@tenon/mcp-server';
import { z } from 'zod';

const input = z.object({ who: z.string() });
const withHandle = z.object({ handle: z.string() });

/** Creates a server that names the caller in everything it sends. Names contain letters that handles never contain. */
export function sharedServer(): Server {
  const server = createServer({ name: 'shared', version: '1.0.0' }, { onError: () => {} });
  const baskets = createHandles<string>({ prefix: 'bsk', name: 'basket', openedBy: 'open' });
  const held = new Set<() => void>();
  server.tool('work', { input }, async ({ who }, ctx) => {
    ctx.progress(1, 2, `${who} begins`);
    ctx.log('info', `${who} works`);
    await undefined;
    ctx.progress(2, 2, `${who} ends`);
    return `done for ${who}`;
  });
  server.tool('hold', { input }, async ({ who }, ctx) => {
    ctx.progress(1, 2, `${who} holds`);
    await new Promise<void>((resolve, reject) => {
      held.add(resolve);
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason), { once: true });
    });
    return `held for ${who}`;
  });
  server.tool('release', { input }, ({ who }) => {
    for (const go of held) go();
    held.clear();
    return `released by ${who}`;
  });
  server.tool('ask', { input }, async ({ who }, ctx) => {
    if (!ctx.can('elicit')) return `nobody asks ${who}`;
    const schema = z.object({ name: z.string() });
    const answer = await ctx.elicit('name', { message: `${who}, who are you?`, schema });
    return answer.action === 'accept' ? `${who} is ${answer.content.name}` : answer.action;
  });
  server.tool('open', { input }, ({ who }, ctx) => baskets.open(ctx, `basket of ${who}`));
  server.tool('look', { input: withHandle }, ({ handle }, ctx) => baskets.get(ctx, handle));
  server.tool('write', { input }, ({ who }) => {
    server.resourceUpdated(`note://${who}`);
    return `written by ${who}`;
  });
  server.resource('note://{who}', { name: 'note' }, ({ variables }) => `note of ${variables.who}`);
  for (const who of ['olga', 'bob']) {
    server.tool(`secret-of-${who}`, { visible: (caller) => caller?.id === who }, () => `for ${who}`);
  }
  return server;
}
