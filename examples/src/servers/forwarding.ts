// A tool that calls a tool of another server, and forwards the error that the other server answered with.
import { RemoteError } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ErrorCode, RpcError } from '@tenon/mcp-server';
import { z } from 'zod';

const info = { name: 'library', version: '1.0.0' };
const archive = createServer({ name: 'archive', version: '1.0.0' }).tool(
  'search',
  { input: z.object({ query: z.string() }) },
  () => {
    throw new RpcError(ErrorCode.refused, 'The archive is closed today');
  },
);
const upstream = await connectMemory(archive, { info });

// #region forward
const server = createServer(info).tool(
  'search',
  { description: 'Searches the archive', input: z.object({ query: z.string() }) },
  ({ query }) =>
    upstream.callTool('search', { query }).catch((error: unknown) => {
      if (error instanceof RemoteError) throw new RpcError(error.code, error.peerMessage, { cause: error });
      throw error;
    }),
);
// #endregion

const client = await connectMemory(server, { info });
await client.callTool('search', { query: 'whales' }).catch((error: unknown) => {
  if (error instanceof RemoteError) console.log(error.code, error.message);
});
await client.close();
await upstream.close();
