import { type ClientExtension, connect, type ToolResult } from '@tenon/mcp-client';
import type { Contracted } from '@tenon/mcp-protocol';
import { asTask, type DetailedTask, type TaskClient, type TaskReference, tasks } from '../client.js';
import type { extensionId } from '../model/task.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Equal<A, B>): void {}

interface Studio {
  readonly tools: { readonly render: { readonly input: object; readonly output: undefined } };
  readonly prompts: object;
}
declare const server: Contracted<Studio>;
declare const reference: TaskReference;
const info = { name: 'c', version: '1' };

export async function typed(): Promise<void> {
  const own = tasks({ onTask: (task, { taskId }) => [task.status, taskId], ttl: 1_000 });
  same<typeof own, ClientExtension<typeof extensionId, { readonly tasks: TaskClient }>>(true);
  const client = await connect('https://a.example', { info, extensions: [own] });
  same<typeof client.tasks, TaskClient>(true);
  const resumed = client.tasks.resume(reference);
  same<Awaited<typeof resumed>, ToolResult>(true);
  for await (const task of resumed.updates) same<typeof task, DetailedTask>(true);
  await client.callTool('render', {}, { meta: asTask({ ttl: 3 }) });
  const exact = await connect<typeof server>('https://a.example', { info, extensions: [own] });
  await exact.callTool('render', {});
  await own.of(exact).tasks.cancel(reference);
  // @ts-expect-error the type of the server leaves the members of extensions out
  same<typeof exact.tasks, TaskClient>(true);
  // @ts-expect-error a preference is inline or task
  tasks({ prefer: 'always' });
  // @ts-expect-error there are no limits
  tasks({ limits: { running: 3 } });
  // @ts-expect-error a reference is an object
  await client.tasks.get('t-1');
}
