// A client that fills in a form for its user and answers a sampling request. The server is in the same program.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const server = createServer({ name: 'travel', version: '1.0.0' }).tool('plan', {}, async (_, ctx) => {
  const schema = z.object({ city: z.string() });
  const answer = await ctx.elicit('city', { message: 'Where do you want to go?', schema });
  if (answer.action !== 'accept') return 'No trip';
  const messages = [
    { role: 'user', content: { type: 'text', text: `A day in ${answer.content.city}` } },
  ] as const;
  const { content } = await ctx.sample('plan', { messages, maxTokens: 100 });
  return textOf(content);
});

/** In a real program, a dialogue and a model. */
const fillIn = async (message: string) => {
  console.log(message);
  return { city: 'Oslo' };
};
const complete = async (prompt: string) => `${prompt}: museum, fjord, sauna`;

// #region handlers
const client = await connectMemory(server, {
  info: { name: 'assistant', version: '1.0.0' },
  onElicit: async ({ message }, { server }) => {
    const content = await fillIn(`${server?.name} asks: ${message}`);
    return content === undefined ? { action: 'decline' } : { action: 'accept', content };
  },
  onSample: async ({ messages }) => {
    const text = await complete(messages.map(({ content }) => textOf(content)).join('\n'));
    return { role: 'assistant', content: { type: 'text', text }, model: 'my-model' };
  },
});
// #endregion
const { content } = await client.callTool('plan');
console.log(textOf(content));
await client.close();
