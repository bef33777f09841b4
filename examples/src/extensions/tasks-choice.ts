// In 2025-11-25 the client decides which calls become tasks.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { asTask, tasks } from '@tenon/mcp-tasks/client';
import { tasks as serveTasks } from '@tenon/mcp-tasks/server';

const server = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [serveTasks()] }).tool(
  'render',
  { task: { support: 'allow', pollInterval: 100 } },
  () => 'rendered',
);

// #region choice
const client = await connectMemory(server, {
  info: { name: 'editor', version: '1.0.0' },
  revision: '2025-11-25',
  extensions: [tasks({ onTask: ({ status }) => console.log('task:', status) })],
});
await client.tools().all();
const task = await client.callTool('render', {}, { meta: asTask({ ttl: 60_000 }) });
console.log('as a task:', textOf(task.content));
const inline = await client.callTool('render', {}, { meta: asTask(false) });
console.log('inline:', textOf(inline.content));
// #endregion
await client.close();
await server.close();
