// One server that forwards the tools of two others, each under a prefix.
import { type Client, connect, RemoteError, textOf } from '@tenon/mcp-client';
import { connectMemory, memoryTarget } from '@tenon/mcp-client/memory';
import { createServer, RpcError, type Server } from '@tenon/mcp-server';
import { z } from 'zod';

/** Registers the tools of another server as tools of this one. */
async function forwardTools(server: Server, prefix: string, upstream: Client): Promise<void> {
  for await (const { name, title, description, inputSchema, annotations } of upstream.tools()) {
    const options = {
      input: inputSchema,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(annotations !== undefined && { annotations }),
    };
    server.tool(`${prefix}_${name}`, options, (input, ctx) => {
      const result = upstream.callTool(name, input as Record<string, unknown>, {
        signal: ctx.signal, // a cancelled call is cancelled upstream too
        onProgress: ({ progress, total, message }) => ctx.progress(progress, total, message),
      });
      return result.catch((error: unknown) => {
        if (!(error instanceof RemoteError)) throw error;
        throw new RpcError(error.code, error.peerMessage, { cause: error });
      });
    });
  }
}

// These two stand for servers elsewhere: connect(url, { info }) or connect({ command, args }, { info }).
const units = createServer({ name: 'units', version: '1.0.0' }).tool(
  'miles',
  { description: 'Kilometres in miles', input: z.object({ kilometres: z.number() }) },
  ({ kilometres }) => `${(kilometres / 1.609344).toFixed(1)} miles`,
);
const clock = createServer({ name: 'clock', version: '1.0.0' }).tool(
  'now',
  { description: 'Returns the time' },
  () => 'noon',
);

const info = { name: 'desk', version: '1.0.0' };
const upstreams = {
  units: await connectMemory(units, { info }),
  clock: await connectMemory(clock, { info }),
};

const server = createServer(info);
for (const [prefix, upstream] of Object.entries(upstreams)) await forwardTools(server, prefix, upstream);

// This client stands for a host. With serveStdio(server) or serveHttp(server) it is Claude, VS Code or Cursor.
const client = await connect(memoryTarget(server), { info: { name: 'agent', version: '1.0.0' } });
for await (const { name, description } of client.tools()) console.log(`${name}: ${description}`);
console.log(textOf((await client.callTool('units_miles', { kilometres: 42.195 })).content));
console.log(textOf((await client.callTool('clock_now')).content));
const { isError, content } = await client.callTool('units_miles', { kilometres: 'far' });
console.log(isError, textOf(content));
await client.close();
for (const upstream of Object.values(upstreams)) await upstream.close();
