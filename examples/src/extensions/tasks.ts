// A tool that takes long: clients with tasks receive a task, all others wait for the result.
import { setTimeout as delay } from 'node:timers/promises';
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { tasks as followTasks } from '@tenon/mcp-tasks/client';
import { tasks } from '@tenon/mcp-tasks/server';
import { z } from 'zod';

const server = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [tasks()] }).tool(
  'render',
  {
    input: z.object({ frames: z.number().int().positive() }),
    task: { support: 'allow', promoteAfter: 50, pollInterval: 100 },
  },
  async ({ frames }, ctx) => {
    for (let frame = 1; frame <= frames; frame++) {
      await delay(100, undefined, { signal: ctx.signal }); // rejects when the task is cancelled
      ctx.progress(frame, frames, `frame ${frame}`);
    }
    return `${frames} frames`;
  },
);

const info = { name: 'editor', version: '1.0.0' };

const plain = await connectMemory(server, { info });
console.log('without tasks:', textOf((await plain.callTool('render', { frames: 2 })).content));
await plain.close();

const statuses = new Set<string>();
const client = await connectMemory(server, {
  info,
  extensions: [followTasks({ onTask: ({ status }) => void statuses.add(status) })],
});
const { content } = await client.callTool('render', { frames: 3 });
console.log('with tasks:', textOf(content));
console.log('the task was', [...statuses].join(', then '));
await client.close();
await server.close();
