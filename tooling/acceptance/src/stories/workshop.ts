import { createServer, type Server, type ServerOptions } from '@tenon/mcp-server';
import { z } from 'zod';

/** A server with tools that use every rule of HTTP. */
export interface Workshop {
  readonly server: Server;
  /** Releases every waiting call of `glue` and `rest`. */
  dry(): void;
}

/** Creates a workshop with its own state. */
export function workshop(options: ServerOptions = {}): Workshop {
  const server = createServer({ name: 'workshop', version: '1.0.0' }, options);
  const drying = new Drying();
  addTalking(server);
  addWaiting(server, drying);
  addAsking(server);
  addBoards(server);
  return { server, dry: () => drying.dry() };
}

/** Calls that wait, and those cancelled meanwhile. */
class Drying {
  readonly #waiting = new Set<() => void>();
  #stopped: () => void = () => {};
  /** Resolves when a waiting call is cancelled. */
  readonly stopped = new Promise<void>((resolve) => {
    this.#stopped = resolve;
  });

  dry(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      const stop = () => {
        this.#stopped();
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

function addTalking(server: Server): void {
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.tool('plane', { description: 'Planes two boards' }, (_input, ctx) => {
    ctx.progress(1, 2);
    ctx.log('info', 'One board is done', 'bench');
    ctx.progress(2, 2);
    return 'Planed';
  });
  const input = z.object({ wood: z.string().meta({ 'x-mcp-header': 'Wood' }), boards: z.number().int() });
  server.tool('saw', { description: 'Saws boards', input }, ({ wood, boards }) => `${boards} of ${wood}`);
}

function addWaiting(server: Server, drying: Drying): void {
  server.tool('glue', { description: 'Glues two boards, which takes time' }, async (_input, ctx) => {
    ctx.progress(1, 2);
    await drying.wait(ctx.signal);
    ctx.progress(2, 2);
    return 'Glued';
  });
  server.tool('rest', { description: 'Lets go of its stream while it waits' }, async (_input, ctx) => {
    ctx.progress(1, 2);
    ctx.releaseStream(50);
    await drying.wait(ctx.signal);
    ctx.progress(2, 2);
    return 'Rested';
  });
  server.tool('dry', { description: 'Lets the glue dry' }, () => {
    drying.dry();
    return 'Dry';
  });
  server.tool('stopped', { description: 'Answers once a call was told to stop' }, async () => {
    await drying.stopped;
    return 'It was told to stop.';
  });
}

function addAsking(server: Server): void {
  server.tool('order', { description: 'Orders boards' }, async (_input, ctx) => {
    const schema = z.object({ boards: z.number().int() });
    const answer = await ctx.elicit('boards', { message: 'How many?', schema });
    return answer.action === 'accept' ? `Ordered ${answer.content.boards}` : answer.action;
  });
  server.tool('name', { description: 'Lets the model name a joint' }, async (_input, ctx) => {
    const content = { type: 'text', text: 'Name a joint.' } as const;
    const said = await ctx.sample('joint', { messages: [{ role: 'user', content }], maxTokens: 8 });
    return said.model;
  });
  server.tool('where', { description: 'Says where it may work' }, async (_input, ctx) => {
    const roots = await ctx.roots('folders');
    return roots.map(({ uri }) => uri).join(', ');
  });
}

function addBoards(server: Server): void {
  for (const board of ['left', 'right']) server.resource(`board://${board}`, { name: board }, () => board);
  server.tool('paint', { description: 'Paints both boards' }, () => {
    server.resourceUpdated('board://left');
    server.resourceUpdated('board://right');
    return 'Painted';
  });
  server.tool('lend', { description: 'Lends a tool away' }, () => {
    server.removeTool('measure');
    return 'Lent';
  });
}
