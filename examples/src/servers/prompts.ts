// A prompt that completes its second argument from the first. A client completes a city, then gets the messages.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, suggest } from '@tenon/mcp-server';
import { z } from 'zod';

const cities: Readonly<Record<string, readonly string[]>> = { no: ['Oslo', 'Otta'], jp: ['Osaka', 'Tokyo'] };

// #region server
const server = createServer({ name: 'briefs', version: '1.0.0' }).prompt(
  'brief',
  {
    description: 'Requests a brief about a city',
    args: z.object({ country: z.string(), city: z.string(), words: z.coerce.number().default(50) }),
    complete: {
      country: suggest(Object.keys(cities)),
      city: suggest(({ chosen }) => cities[chosen.country ?? ''] ?? []),
    },
  },
  ({ city, words }) => `Tell me about ${city} in ${words} words.`,
);
// #endregion

const client = await connectMemory(server, { info: { name: 'writer', version: '1.0.0' } });
const { values } = await client.complete({
  ref: { type: 'ref/prompt', name: 'brief' },
  argument: { name: 'city', value: 'O' },
  context: { arguments: { country: 'no' } },
});
console.log('completed', values.join(', '));
const { messages } = await client.getPrompt('brief', { country: 'no', city: 'Oslo', words: '20' });
for (const { role, content } of messages) console.log(`${role}: ${textOf(content)}`);
await client.close();
