import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionError, textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { tasks as followTasks, type TaskReference } from '@tenon/mcp-tasks/client';
import { tasks as serveTasks } from '@tenon/mcp-tasks/server';

let finish = () => {};
const finished = new Promise<void>((resolve) => {
  finish = resolve;
});
const server = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [serveTasks()] }).tool(
  'render',
  { task: { support: 'always', pollInterval: 100 } },
  async () => {
    await finished;
    return '100 frames';
  },
);

const folder = await mkdtemp(join(tmpdir(), 'studio-'));
const file = join(folder, 'task.json');
const info = { name: 'editor', version: '1.0.0' };

let stored = () => {};
const isStored = new Promise<void>((resolve) => {
  stored = resolve;
});
async function store(reference: TaskReference): Promise<void> {
  await writeFile(file, JSON.stringify(reference), { mode: 0o600 });
  stored();
}

const first = await connectMemory(server, {
  info,
  extensions: [followTasks({ onTask: (_task, reference) => store(reference) })],
});
const call = first.callTool('render').catch((error: unknown) => error);
await isStored;
await first.close(); // the program ends; the task goes on at the server
const error = await call;
console.log('the call:', error instanceof SessionError ? error.reason : error);

// Later, in another program:
const second = await connectMemory(server, { info, extensions: [followTasks()] });
const reference: TaskReference = JSON.parse(await readFile(file, 'utf8'));
const { status } = await second.tasks.get(reference);
console.log('the task:', status);
finish();
const { content } = await second.tasks.resume(reference);
console.log('the result:', textOf(content));
await second.close();
await server.close();
await rm(folder, { recursive: true });
