import { createHandles, createServer, type Server } from '@tenon/mcp-server';
import { z } from 'zod';

const text = z.object({ text: z.string() });

/** A server that records what its tools did. */
export interface Notes {
  readonly server: Server;
  /** The name of each request that reached a handler. */
  readonly ran: string[];
  /** Errors that were not sent to a client. */
  readonly errors: unknown[];
}

/** Creates a server with tools that distinguish callers, wait, request input and store data. */
export function createNotes(): Notes {
  const ran: string[] = [];
  const errors: unknown[] = [];
  const held = new Set<() => void>();
  const handles = createHandles<string>({ prefix: 'nte', name: 'note', openedBy: 'open' });
  const server = createServer({ name: 'notes', version: '1.0.0' }, { onError: (error) => errors.push(error) })
    .tool('echo', { input: text }, (input) => input.text)
    .tool('who', {}, (_, ctx) => `${ctx.auth?.id} of ${ctx.auth?.issuer}`)
    .tool('write', { scopes: ['notes:write'] }, () => 'written')
    .tool('erase', { scopes: ['notes:write', 'notes:erase'] }, () => 'erased')
    .tool('sign', { input: text }, (input, ctx) => {
      ctx.requireScopes(`sign:${input.text}`);
      return 'signed';
    })
    .tool('open', {}, (_, ctx) => handles.open(ctx, `note of ${ctx.auth?.id}`))
    .tool('read', { input: text }, (input, ctx) => handles.get(ctx, input.text))
    .tool('ask', {}, async (_, ctx) => {
      const answer = await ctx.elicit('name', { message: 'Who?', schema: text });
      return answer.action === 'accept' ? answer.content.text : answer.action;
    })
    .tool('hidden', { visible: (principal) => principal?.id === 'ada' }, () => 'for Ada alone')
    .tool('hold', {}, async (_, ctx) => {
      await new Promise<void>((go) => {
        held.add(go);
        ctx.signal.addEventListener('abort', () => go(), { once: true });
        ctx.progress(1);
      });
      return ctx.signal.aborted ? 'cancelled' : 'let go';
    })
    .tool('let-go', {}, () => {
      const count = held.size;
      for (const go of held) go();
      held.clear();
      return String(count);
    })
    .prompt('greet', { scopes: ['notes:write'] }, () => 'Hello!')
    .resource('memo://one', { name: 'one', scopes: ['notes:write'] }, () => 'the first memo');
  server.use((request, next) => {
    const { name } = request.params as { readonly name?: string };
    ran.push(name === undefined ? request.method : `${request.method} ${name}`);
    return next();
  });
  return { server: server as unknown as Server, ran, errors };
}
