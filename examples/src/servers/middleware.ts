// Middleware for every request in both directions: one logs, one rejects calls.
import { RemoteError } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ErrorCode, type Middleware, RpcError } from '@tenon/mcp-server';

// #region middleware
const log: Middleware = async (call, next) => {
  try {
    const result = await next();
    console.log(call.direction, call.method, 'ok');
    return result;
  } catch (error) {
    console.log(call.direction, call.method, (error as Error).message);
    throw error;
  }
};

const guard: Middleware = (call, next) => {
  if (call.method === 'tools/call' && call.params.name === 'format_disk') {
    throw new RpcError(ErrorCode.refused, 'Formatting is not allowed here');
  }
  return next();
};

const server = createServer({ name: 'guarded', version: '1.0.0' })
  .tool('format_disk', { description: 'Formats the disk' }, () => 'Formatted')
  .tool('where', { description: 'Returns the folders the client works in' }, async (_input, ctx) => {
    const roots = await ctx.roots('roots');
    return roots.map((root) => root.uri).join(', ');
  })
  .use(log)
  .use(guard);
// #endregion

const client = await connectMemory(server, {
  info: { name: 'agent', version: '1.0.0' },
  revision: '2025-11-25',
  roots: [{ uri: 'file:///home/ada' }],
});
await client.callTool('where');
await client.callTool('format_disk').catch((error: unknown) => {
  if (error instanceof RemoteError) console.log('rejected with', error.code);
});
await client.close();
