import { createServer, suggest, UrlElicitationRequiredError } from '@tenon/mcp-server';
import { z } from 'zod';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns a server with tools, resources and prompts for tests of commands. */
export function shop() {
  let isOpen = false;
  return createServer({ name: 'shop', version: '1.2.3' })
    .tool(
      'add',
      {
        description: 'Adds two numbers.',
        input: z.object({ a: z.number(), b: z.number() }),
        output: z.object({ sum: z.number() }),
        annotations: { readOnlyHint: true },
      },
      ({ a, b }) => ({ sum: a + b }),
    )
    .tool(
      'search',
      {
        description: 'Finds goods.\u001b[31m',
        input: z.object({
          query: z.string().describe('The words to find'),
          limit: z.number().int().default(10),
          sort: z.enum(['price', 'name']).optional(),
          tags: z.array(z.string()).optional(),
        }),
      },
      (input) => JSON.stringify(input),
    )
    .tool('fail', {}, () => ({ content: [{ type: 'text', text: 'Sold out' }], isError: true }))
    .tool('picture', {}, () => ({
      content: [
        { type: 'text', text: 'A dot' },
        { type: 'image', data: png, mimeType: 'image/png' },
      ],
    }))
    .tool('noisy', {}, async (_, ctx) => {
      ctx.log('warning', 'Stock is low');
      ctx.progress(1, 2, 'half');
      return 'done';
    })
    .tool('order', {}, async (_, ctx) => {
      const schema = z.object({
        city: z.string().min(2),
        count: z.number().int().min(1).max(9),
        gift: z.boolean().default(false),
        size: z.enum(['small', 'large']).optional(),
      });
      const answer = await ctx.elicit('address', { message: 'Where to?', schema });
      return answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action;
    })
    .tool('pay', {}, async (_, ctx) => {
      const { action } = await ctx.elicitUrl('page', {
        message: 'Pay here',
        url: 'https://pay.example/order?id=1',
      });
      return action;
    })
    .tool('locked', {}, () => {
      if (isOpen) return 'open';
      isOpen = true;
      throw new UrlElicitationRequiredError([
        { message: 'Unlock', url: 'https://lock.example/', elicitationId: '1' },
      ]);
    })
    .tool('write', {}, async (_, ctx) => {
      const messages = [{ role: 'user', content: { type: 'text', text: 'A slogan?' } }] as const;
      const { content } = await ctx.sample('slogan', { messages, maxTokens: 50 });
      return JSON.stringify(content);
    })
    .resource('text://notes', { name: 'notes', mimeType: 'text/plain' }, () => 'Buy tea')
    .resource('img://logo', { name: 'logo', mimeType: 'image/png' }, () => Buffer.from(png, 'base64'))
    .prompt(
      'greet',
      {
        description: 'Greets',
        args: z.object({ name: z.string(), language: z.string().optional() }),
        complete: { name: suggest(['Ada', 'Alan', 'Bob']) },
      },
      ({ name }) => `Hello ${name}`,
    );
}
