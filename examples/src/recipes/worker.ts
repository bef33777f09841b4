// A module for runtimes that call `fetch` of a default export, such as Workers.
// #region worker
import { createServer } from '@tenon/mcp-server';
import { type FetchHandler, toFetchHandler } from '@tenon/mcp-server/fetch';
import { z } from 'zod';

/** @param stateKey - 32 bytes in base64, the same in all processes, so that each can open the state of another. */
function greeter(stateKey: string) {
  const server = createServer({ name: 'greeter', version: '1.0.0' }, { stateKeys: [stateKey] });
  return server.tool('greet', { description: 'Greets the user' }, async (_, ctx) => {
    const schema = z.object({ name: z.string() });
    const answer = await ctx.elicit('name', { message: 'Who is there?', schema });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!';
  });
}

let mcp: FetchHandler | undefined;

export default {
  fetch(request: Request, env: { readonly STATE_KEY: string }): Promise<Response> {
    // The platform has checked the host name.
    mcp ??= toFetchHandler(greeter(env.STATE_KEY), { allowedHosts: 'any', sessions: false });
    return mcp(request);
  },
};
// #endregion
