// A result with isError, an error response of the server, and a timeout. The server is in the same program.
import { RemoteError, SessionError, textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ErrorCode, RpcError, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const server = createServer({ name: 'shop', version: '1.0.0' }, { onCancelled: () => {} }).tool(
  'buy',
  { input: z.object({ item: z.enum(['bread', 'milk', 'gold']) }) },
  ({ item }, ctx) => {
    if (item === 'milk') throw new ToolError('There is no milk. There is: bread.');
    if (item === 'gold') throw new RpcError(ErrorCode.refused, 'Gold needs a contract');
    return new Promise<string>((_, reject) =>
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)),
    );
  },
);
const client = await connectMemory(server, { info: { name: 'buyer', version: '1.0.0' } });

// #region errors
async function buy(item: 'bread' | 'milk' | 'gold'): Promise<string> {
  try {
    const { isError, content } = await client.callTool('buy', { item }, { timeout: 100 });
    return `${isError ? 'isError' : 'done'}: ${textOf(content)}`; // the model reads both
  } catch (error) {
    if (error instanceof RemoteError) return `RemoteError ${error.code}: ${error.peerMessage}`; // from the server
    if (error instanceof SessionError) return `SessionError ${error.reason}`; // from this client
    throw error;
  }
}
// #endregion
for (const item of ['milk', 'gold', 'bread'] as const) console.log(await buy(item));
await client.close();
