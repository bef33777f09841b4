import { createServer, type Server } from '@tenon/mcp-server';
import { z } from 'zod';

const input = z.object({ who: z.string() });

/** Creates a server that names the caller in everything it sends. Calls of two clients run at the same time. */
export function benchServer(): Server {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  const both = new Pairs();
  server.tool('work', { description: 'Works for somebody', input }, async ({ who }, ctx) => {
    ctx.progress(1, 2, `${who} begins`);
    ctx.log('info', `${who} works`);
    await both.arrive();
    ctx.progress(2, 2, `${who} ends`);
    return `done for ${who}`;
  });
  const holding = new Set<() => void>();
  server.tool('hold', { description: 'Holds until it may let go', input }, async ({ who }, ctx) => {
    ctx.progress(1, 2, `${who} holds`);
    await new Promise<void>((resolve, reject) => {
      holding.add(resolve);
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason), { once: true });
    });
    return `held for ${who}`;
  });
  server.tool('release', { description: 'Lets everybody go' }, () => {
    for (const resolve of holding) resolve();
    return 'released';
  });
  addAsking(server, both);
  addNotes(server);
  addVisible(server);
  return server;
}

function addAsking(server: Server, both: Pairs): void {
  server.tool('form', { description: 'Asks somebody', input }, async ({ who }, ctx) => {
    await ctx.once('meeting', () => both.meet());
    const schema = z.object({ name: z.string() });
    const answer = await ctx.elicit('name', { message: `${who}, who are you?`, schema });
    return answer.action === 'accept' ? `${who} is ${answer.content.name}` : answer.action;
  });
  server.tool('model', { description: 'Asks the model of somebody', input }, async ({ who }, ctx) => {
    await ctx.once('meeting', () => both.meet());
    const content = { type: 'text', text: `Greet ${who}` } as const;
    const said = await ctx.sample('greeting', { messages: [{ role: 'user', content }], maxTokens: 8 });
    return `${who} has ${said.model}`;
  });
  server.tool('folders', { description: 'Asks for the folders of somebody', input }, async ({ who }, ctx) => {
    await ctx.once('meeting', () => both.meet());
    const roots = await ctx.roots('folders');
    return `${who} has ${roots.map(({ uri }) => uri).join()}`;
  });
}

function addNotes(server: Server): void {
  const complete = { who: (typed: string) => [`${typed} of the bench`] };
  server.resource('note://{who}', { name: 'note', complete }, ({ variables }) => `Note of ${variables.who}`);
  server.prompt(
    'greet',
    { description: 'Greets somebody', args: z.object({ who: z.string() }) },
    ({ who }) => `Hello ${who}`,
  );
  server.tool('write', { description: 'Writes a note', input }, ({ who }) => {
    server.resourceUpdated(`note://${who}`);
    return 'written';
  });
}

/** Adds tools that only one user sees, and a tool that changes them. */
function addVisible(server: Server): void {
  for (const who of ['ann', 'bob']) {
    const options = {
      description: `Known to ${who}`,
      visible: (caller?: { id: string }) => caller?.id === who,
    };
    server.tool(`secret-of-${who}`, options, () => `for ${who}`);
  }
  server.tool('forget', { description: 'Takes the secret of somebody away', input }, ({ who }) => {
    server.removeTool(`secret-of-${who}`);
    return 'forgotten';
  });
}

/** Waits for two callers, and releases both. */
class Pairs {
  #waiting: (() => void) | undefined;

  /** Like {@link arrive}, with a value for an action done once. */
  async meet(): Promise<null> {
    await this.arrive();
    return null;
  }

  arrive(): Promise<void> {
    const first = this.#waiting;
    this.#waiting = undefined;
    if (first !== undefined) {
      first();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}
