// A server and a client moved from mcp-use. The comments name what stood there.
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const server = createServer({ name: 'deployments', version: '1.0.0' }) // new MCPServer({ name, version })
  .tool(
    'deploy', // server.tool({ name: 'deploy', ... }, callback)
    {
      input: z.object({ environment: z.enum(['staging', 'production']) }), // inputSchema
      output: z.object({ environment: z.string(), deployed: z.boolean() }), // outputSchema
    },
    async ({ environment }, ctx) => {
      // ctx.elicit(key, message, schema), and `if (approval.status === 'required') return approval.result`
      const approval = await ctx.elicit('approval', {
        message: `Deploy to ${environment}?`,
        schema: z.object({ approve: z.boolean() }),
      });
      const deployed = approval.action === 'accept' && approval.content.approve; // approval.status, approval.data
      return { environment, deployed }; // { content, structuredContent }
    },
  )
  .use((call, next) => {
    if (call.method === 'tools/call') console.log('call', call.params.name); // server.use('mcp:tools/call', ...)
    return next();
  });

// new MCPClient({ mcpServers: { demo: { url } } }), client.connect('demo'). Here also connect(url, { info })
const client = await connectMemory(server, {
  info: { name: 'try', version: '1.0.0' },
  onElicit: () => ({ action: 'accept', content: { approve: true } }),
});
const { structuredContent } = await client.callTool('deploy', { environment: 'staging' }); // connection.callTool(name, args)
console.log(structuredContent?.deployed);
await client.close();
