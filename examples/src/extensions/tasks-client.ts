import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { tasks as followTasks, type Task } from '@tenon/mcp-tasks/client';
import { tasks as serveTasks } from '@tenon/mcp-tasks/server';
import { z } from 'zod';

// Any server with tasks will do; this one is in the same program.
const server = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [serveTasks()] }).tool(
  'render',
  { input: z.object({ frames: z.number() }), task: { support: 'always', pollInterval: 100 } },
  async ({ frames }, ctx) => {
    const { content } = await ctx.elicit('format', {
      message: 'Which format?',
      schema: z.object({ format: z.enum(['webm', 'mp4']) }),
    });
    return `${frames} frames as ${content?.format}`;
  },
);

/** Called for each change of a task. */
function onTask({ status }: Task): void {
  if (status !== 'working') console.log('task:', status);
}

const client = await connectMemory(server, {
  info: { name: 'editor', version: '1.0.0' },
  extensions: [followTasks({ onTask })],
  // Called for input of calls and of tasks alike. Ask the user here.
  onElicit: ({ message }) => {
    console.log(message);
    return { action: 'accept', content: { format: 'webm' } };
  },
});
const { content } = await client.callTool('render', { frames: 3 });
console.log(textOf(content));
await client.close();
await server.close();
