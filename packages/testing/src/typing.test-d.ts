import type { Dialer } from '@tenon/mcp-client';
import { connectMemory, memoryTarget } from '@tenon/mcp-client/memory';
import type { Connection } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { connectTest, faulty } from './index.js';
import './vitest.js';

const server = createServer({ name: 'typed', version: '1' })
  .tool('add', { input: z.object({ a: z.number() }), output: z.object({ sum: z.number() }) }, ({ a }) => ({
    sum: a,
  }))
  .prompt('greeting', { args: z.object({ name: z.string() }) }, ({ name }) => name);

const { client } = await connectTest(server);

const { structuredContent } = await client.callTool('add', { a: 1 });
expect<number | undefined>(structuredContent?.sum).toBe(1);
await client.getPrompt('greeting', { name: 'Ada' });
// @ts-expect-error unknown tool
await client.callTool('subtract', { a: 1 });
// @ts-expect-error wrong input
await client.callTool('add', { a: '1' });
// @ts-expect-error wrong arguments
await client.getPrompt('greeting', { nom: 'Ada' });
// @ts-expect-error unknown transport
await connectTest(server, { transport: 'smtp' });

// Tools and prompts registered in statements of their own have no types, and any name.
const plain = createServer({ name: 'plain', version: '1' });
plain.tool('add', { input: z.object({ a: z.number() }) }, ({ a }) => String(a));
for (const untyped of [(await connectTest(plain)).client, await connectMemory(plain, { info: plain.info })]) {
  await untyped.callTool('add', { a: 1 });
  await untyped.getPrompt('greeting', { name: 'Ada' });
  expect<unknown>((await untyped.callTool('add')).structuredContent?.sum).toBe(1);
}
const half = createServer({ name: 'half', version: '1' }).tool('chained', {}, () => '');
const halfTyped = await connectMemory(half, { info: half.info });
await halfTyped.getPrompt('greeting');
await halfTyped.callTool('chained');
// @ts-expect-error the types have one tool, and not this
await halfTyped.callTool('add');

faulty({} as Connection, {}) satisfies Connection;
faulty(memoryTarget(server), { outgoing: { drop: 0.1 } }) satisfies Dialer;
// @ts-expect-error unknown fault
faulty(memoryTarget(server), { outgoing: { burn: 0.1 } });

await (expect(client).toHaveTool('add') satisfies Promise<void>);
expect(structuredContent).toHaveStructuredContent();
// @ts-expect-error the name is missing
await expect(client).toHaveTool();
// @ts-expect-error unknown code
await expect(client.callTool('add', { a: 1 })).toRejectWithCode('invalidParam');
