import { setTimeout as delay } from 'node:timers/promises';
import { type EmptyContract, ErrorCode, RpcError, type Server, ToolError } from '@tenon/mcp-server';
import type { TaskToolOptions } from '@tenon/mcp-tasks/server';
import { z } from 'zod';

/** Milliseconds until a job fails. */
const failsAfter = 1_000;

const confirmForm = z.object({ confirm: z.boolean() });
const nameForm = z.object({ name: z.string() });

/** Tools that run as tasks, for clients that have them. */
export function addTaskTools(server: Server<EmptyContract, TaskToolOptions>): void {
  server.tool(
    'greet',
    { description: 'Greets at once', input: z.object({ name: z.string() }) },
    ({ name }) => `Hello, ${name}!`,
  );

  server.tool(
    'slow_compute',
    {
      description: 'Computes for some seconds',
      task: { support: 'allow', promoteAfter: 100 },
      input: z.object({ seconds: z.number().min(0).max(60), label: z.string().optional() }),
    },
    async ({ seconds, label = 'computation' }, ctx) => {
      ctx.progress(0, seconds, `${label} has begun`);
      await delay(seconds * 1_000, undefined, { signal: ctx.signal });
      return `${label}: done after ${seconds} s`;
    },
  );

  server.tool('failing_job', { description: 'Fails as a tool', task: 'always' }, async (_input, ctx) => {
    await delay(failsAfter, undefined, { signal: ctx.signal });
    throw new ToolError('The job failed');
  });

  server.tool(
    'protocol_error_job',
    { description: 'Fails with an error of the protocol', task: 'always' },
    async (_input, ctx) => {
      await delay(failsAfter, undefined, { signal: ctx.signal });
      throw new RpcError(ErrorCode.internalError, 'The job broke');
    },
  );

  server.tool(
    'confirm_delete',
    {
      description: 'Deletes a file after a confirmation',
      task: 'always',
      input: z.object({ filename: z.string() }),
    },
    async ({ filename }, ctx) => {
      const answer = await ctx.elicit('confirm', { message: `Delete ${filename}?`, schema: confirmForm });
      const isConfirmed = answer.action === 'accept' && answer.content.confirm;
      return isConfirmed ? `Deleted ${filename}` : `Kept ${filename}`;
    },
  );

  server.tool(
    'multi_input',
    { description: 'Requests a name and a confirmation at the same time', task: 'always' },
    async (_input, ctx) => {
      const [name, confirmed] = await Promise.all([
        ctx.elicit('name', { message: 'What is your name?', schema: nameForm }),
        ctx.elicit('confirm', { message: 'Please confirm', schema: confirmForm }),
      ]);
      return `${name.action === 'accept' ? name.content.name : 'stranger'}: ${confirmed.action}`;
    },
  );

  server.tool(
    'test_tool_with_task',
    {
      description: 'Requests a name, then greets in a task',
      task: { support: 'always', inputFirst: ['user_name'] },
    },
    async (_input, ctx) => {
      const answer = await ctx.elicit('user_name', { message: 'What is your name?', schema: nameForm });
      await delay(failsAfter, undefined, { signal: ctx.signal });
      return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!';
    },
  );
}
