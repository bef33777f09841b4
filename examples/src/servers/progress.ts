// A tool that reports its progress, writes to the client's log, and stops when the client cancels.
import { setTimeout as delay } from 'node:timers/promises';
import { SessionError, textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { type Cancelled, createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const readPage = (page: number, signal: AbortSignal) => delay(page, undefined, { signal });

// #region server
const options = {
  onCancelled: ({ name, reason }: Cancelled) => console.log('cancelled:', name, reason),
};
const server = createServer({ name: 'archive', version: '1.0.0' }, options).tool(
  'index',
  { input: z.object({ pages: z.number().int().positive() }), timeout: 60_000 },
  async ({ pages }, ctx) => {
    ctx.log('info', { message: 'indexing', pages });
    for (let page = 1; page <= pages; page++) {
      await readPage(page, ctx.signal); // rejects when the call is cancelled or takes longer than `timeout`
      ctx.progress(page, pages, `page ${page}`);
    }
    return `${pages} pages`;
  },
);
// #endregion

// #region client
const client = await connectMemory(server, {
  info: { name: 'librarian', version: '1.0.0' },
  logLevel: 'info',
  onLog: ({ level, data }) => console.log(level, data),
});
const { content } = await client.callTool(
  'index',
  { pages: 2 },
  {
    timeout: 5_000, // milliseconds without any message; progress starts the time again
    total: 60_000, // milliseconds for the whole call
    onProgress: ({ progress, total, message }) => console.log(progress, 'of', total, message),
  },
);
console.log(textOf(content));

const stop = new AbortController();
const call = client.callTool(
  'index',
  { pages: 1_000 },
  { signal: stop.signal, onProgress: () => stop.abort('enough') },
);
await call.catch((error: unknown) => {
  if (error instanceof SessionError) console.log('the call:', error.reason);
});
// #endregion
await client.close();
