// Three kinds of errors: for the model, for the client's program, and for the author of the server alone.
import { RemoteError, textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ErrorCode, RpcError, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const stock = new Map([['bread', 2]]);
const info = { name: 'shop', version: '1.0.0' };

// #region errors
const server = createServer(info, {
  onError: (error, where) => console.log('onError:', where, (error as Error).message),
}).tool('buy', { input: z.object({ item: z.string(), count: z.number().int() }) }, ({ item, count }) => {
  const left = stock.get(item);
  // For the model, which can try something else.
  if (left === undefined)
    throw new ToolError(`There is no ${item}. There is: ${[...stock.keys()].join(', ')}.`);
  // For the client's program.
  if (count > 100) throw new RpcError(ErrorCode.refused, 'Orders of more than 100 need a contract');
  // For you: the client learns only that the tool failed.
  if (count > left) throw new Error('warehouse-7 is out of sync');
  return `${count} of ${left}`;
});
// #endregion

const client = await connectMemory(server, { info: { name: 'buyer', version: '1.0.0' } });
const buy = async (item: string, count: number) => {
  try {
    const { isError = false, content } = await client.callTool('buy', { item, count });
    console.log(isError ? 'isError:' : 'result:', textOf(content));
  } catch (error) {
    if (error instanceof RemoteError) console.log('RemoteError:', error.code, error.message);
  }
};
await buy('bread', 1);
await buy('milk', 1);
await buy('bread', 1_000);
await buy('bread', 7);
await buy('bread', 0.5);
await client.close();
