// A limit on the calls of one caller, other limits of a server, and a client that calls too often.
import { RemoteError, textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, ErrorCode } from '@tenon/mcp-server';

const info = { name: 'oracle', version: '1.0.0' };

// #region rates
const server = createServer(info, {
  rates: {
    calls: { perSecond: 1, burst: 2 }, // tool calls of one caller; default 500 a second, 5,000 at once
    completions: false, // no limit
    by: (request) => request.principal?.claims?.tenant?.toString(), // default: the principal, else the address, else the session
  },
  limits: {
    handlerTime: 10_000, // milliseconds that one call may take
    resultSize: 100_000, // characters of one result
    inFlight: 16, // requests of one client at once
  },
}).tool('ask', { description: 'Answers' }, () => 'Yes');
// #endregion

const client = await connectMemory(server, { info: { name: 'agent', version: '1.0.0' } });
for (let call = 1; call <= 3; call++) {
  // #region refused
  try {
    const { content } = await client.callTool('ask');
    console.log(textOf(content));
  } catch (error) {
    if (!(error instanceof RemoteError && error.code === ErrorCode.rateLimited)) throw error;
    const { retryAfterMs } = error.data as { readonly retryAfterMs: number };
    console.log('too often: retry in', Math.ceil(retryAfterMs / 1_000), 's');
  }
  // #endregion
}
await client.close();
