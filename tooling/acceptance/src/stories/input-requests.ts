import { createServer, type Server, UrlElicitationRequiredError } from '@tenon/mcp-server';
import { z } from 'zod';

/** Creates a server with a tool that requests the client's roots. */
export function rootsServer(): Server {
  const server = createServer({ name: 'roots', version: '1.0.0' }, { logging: false });
  server.tool('where', { description: 'Says where it may work' }, async (_input, ctx) => {
    const roots = await ctx.roots('folders');
    return roots.map((root) => root.name ?? root.uri).join(', ');
  });
  return server;
}

/** Creates a server with tools that request sampling, one of them with tools for the model. */
export function samplingServer(): Server {
  const server = createServer({ name: 'sampling', version: '1.0.0' }, { logging: false });
  server.tool('name', { description: 'Lets the model name a joint' }, async (_input, ctx) => {
    const { content, model } = await ctx.sample('joint', {
      messages: [{ role: 'user', content: { type: 'text', text: 'Name a joint.' } }],
      systemPrompt: 'One word.',
      maxTokens: 8,
      temperature: 0,
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
    });
    return `${model}: ${JSON.stringify(content)}`;
  });
  server.tool('measure', { description: 'Lets the model use a ruler' }, async (_input, ctx) => {
    if (!ctx.can('sample-tools')) return 'This model uses no tools.';
    const { content, stopReason } = await ctx.sample('ruler', {
      messages: [{ role: 'user', content: { type: 'text', text: 'How long is the board?' } }],
      maxTokens: 8,
      tools: [{ name: 'ruler', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
    });
    return `${stopReason}: ${JSON.stringify(content)}`;
  });
  return server;
}

const order = z.object({
  wood: z.enum(['ash', 'oak']).default('oak'),
  boards: z.number().int().min(1).max(9),
  planed: z.boolean().optional(),
});

/** Creates a server with tools that elicit input: with one form, with two in sequence, and with a page. */
export function elicitationServer(): Server {
  const server = createServer({ name: 'elicitation', version: '1.0.0' }, { logging: false });
  server.tool('order', { description: 'Orders boards' }, async (_input, ctx) => {
    const answer = await ctx.elicit('boards', { message: 'How many?', schema: order });
    if (answer.action !== 'accept') return `Nothing ordered: ${answer.action}`;
    return `Ordered ${answer.content.boards} of ${answer.content.wood}`;
  });
  server.tool('glue', { description: 'Glues after asking twice' }, async (_input, ctx) => {
    const pot = await ctx.once('pot', () => 'pot 1');
    const first = await ctx.elicit('dry', { message: 'Dry?', schema: z.object({ dry: z.boolean() }) });
    const second = await ctx.elicit('sure', { message: 'Sure?', schema: z.object({ sure: z.boolean() }) });
    return `${pot}, ${first.action}, ${second.action}`;
  });
  server.tool('pay', { description: 'Sends the user to a page' }, async (_input, ctx) => {
    if (!ctx.can('elicit-url')) return 'This client opens no pages.';
    const { action } = await ctx.elicitUrl('pay', { message: 'Pay here.', url: 'https://example.com/pay' });
    return `Paying: ${action}`;
  });
  return server;
}

/** Creates a server with a tool that sends two input requests at once, after a step that runs once. */
export function inputRequestsServer(): Server {
  const server = createServer({ name: 'questions', version: '1.0.0' }, { logging: false });
  let plans = 0;
  server.tool('plan', { description: 'Asks where, and for a name, at once' }, async (_input, ctx) => {
    const plan = await ctx.once('plan', () => ++plans);
    const content = { type: 'text', text: 'Name a joint.' } as const;
    const [roots, said] = await Promise.all([
      ctx.roots('folders'),
      ctx.sample('joint', { messages: [{ role: 'user', content }], maxTokens: 8 }),
    ]);
    return `Plan ${plan}: ${said.model} in ${roots.map(({ uri }) => uri).join(', ')}`;
  });
  server.prompt('where', { description: 'Asks where, too' }, async (_input, ctx) => {
    const roots = await ctx.roots('folders');
    return `Work in ${roots.map(({ uri }) => uri).join(', ')}.`;
  });
  return server;
}

/**
 * Creates a server with tools that send the user to a page: one waits for the user's choice, one requires the visit first.
 */
export function pagesServer(): Server {
  const server = createServer({ name: 'pages', version: '1.0.0' }, { logging: false });
  const page = { message: 'Pay here.', url: 'https://example.com/pay', elicitationId: 'visit-1' };
  let paid = false;
  server.tool('pay', { description: 'Sends the user to a page' }, async (_input, ctx) => {
    if (!ctx.can('elicit-url')) return 'This client opens no pages.';
    return `Paying: ${(await ctx.elicitUrl('pay', page)).action}`;
  });
  server.tool('deliver', { description: 'Delivers what has been paid for' }, () => {
    if (!paid) throw new UrlElicitationRequiredError([{ ...page, elicitationId: 'visit-2' }]);
    return 'Delivered';
  });
  server.tool('settle', { description: 'Is told by the bank' }, () => {
    paid = true;
    server.elicitationCompleted('visit-2');
    return 'Settled';
  });
  return server;
}

/** Creates a server with a tool that includes the client's context in sampling. */
export function samplingContextServer(): Server {
  const server = createServer({ name: 'sampling-context', version: '1.0.0' }, { logging: false });
  server.tool('judge', { description: 'Lets the model judge the work' }, async (_input, ctx) => {
    const { model } = await ctx.sample('verdict', {
      messages: [{ role: 'user', content: { type: 'text', text: 'How is the joint?' } }],
      includeContext: 'thisServer',
      maxTokens: 8,
    });
    return model;
  });
  return server;
}
