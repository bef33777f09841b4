// A fetch handler moved from mcp-lite. The comments name what stood there.
import { connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { z } from 'zod';

const server = createServer({ name: 'weather', version: '1.0.0' }) // new McpServer({ name, version, schemaAdapter })
  .use((call, next) => {
    console.log(call.direction, call.method); // server.use(async (ctx, next) => ...)
    return next();
  })
  .tool(
    'forecast', // mcp.tool('forecast', { description, inputSchema, outputSchema, handler })
    {
      description: 'Returns the temperature of a city',
      input: z.object({ city: z.string() }),
      output: z.object({ temperature: z.number() }),
    },
    ({ city }) => ({ temperature: city.length * 4 }), // { content, structuredContent }
  );

// new StreamableHttpTransport({ sessionAdapter, clientRequestAdapter, allowedHosts }).bind(server)
export const mcp = toFetchHandler(server, { allowedHosts: ['weather.example'] });
// app.all('/mcp', (c) => mcp(c.req.raw)) stays as it is

const client = await connect<typeof server>('https://weather.example/mcp', {
  info: { name: 'try', version: '1.0.0' },
  fetch: (url, init) => mcp(new Request(url, init)), // in this process
});
console.log((await client.callTool('forecast', { city: 'Oslo' })).structuredContent?.temperature);
await client.close();
await mcp.drain();
