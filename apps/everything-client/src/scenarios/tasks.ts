import { type Client, RemoteError, SessionError } from '@tenon/mcp-client';
import { type Task, type TaskReference, tasks } from '@tenon/mcp-tasks/client';
import type { Scenario } from './scenario.js';

/** Calls a tool, and cancels the call as soon as it has become a task. */
async function cancelled(client: Client, name: string, began: AbortSignal): Promise<void> {
  try {
    await client.callTool(name, {}, { signal: began });
  } catch (error) {
    if (error instanceof SessionError && error.reason === 'cancelled') return;
    throw error;
  }
  throw new Error(`${name} was not cancelled`);
}

/** Tasks that complete, fail and are cancelled, beside a tool that answers at once. */
function lifecycle(): Scenario {
  const began = new AbortController();
  let last: TaskReference | undefined;
  const extension = tasks({
    onTask: (_task: Task, reference: TaskReference) => {
      last = reference;
      if (reference.call.name === 'cancel_task') began.abort();
    },
  });
  return {
    options: { extensions: [extension] },
    async run(client) {
      await client.tools().all();
      for (const name of ['quick_task', 'sync_echo']) {
        const { content } = await client.callTool(name);
        if (content.length === 0) throw new Error(`${name} has no result`);
      }
      const failure = await client.callTool('failing_task').catch((error: unknown) => error);
      if (!(failure instanceof RemoteError)) throw new Error('failing_task did not fail');
      await cancelled(client, 'cancel_task', began.signal);
      // The server cancels in its own time: the program ends after that.
      const own = extension.of(client).tasks;
      while (last !== undefined && (await own.get(last)).status === 'working');
    },
  };
}

/** Calls that become tasks. */
export const taskScenarios: Record<string, Scenario> = { 'tasks-client-lifecycle': lifecycle() };
