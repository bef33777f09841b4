import { setTimeout as delay } from 'node:timers/promises';
import { SessionError } from '@tenon/mcp-client';
import { asTask } from '@tenon/mcp-tasks/client';
import type { expectations } from '../expectations.js';
import type { Stage, Steps } from '../stage/stage.js';
import type { NotesClient } from '../transports/transports.js';
import { textOfResult } from './outcomes.js';

/** Tasks: tool calls that are answered before they have ended. */
export const taskSteps: Steps<typeof expectations.tasks> = {
  'task finished': async ({ client, taskLog }) => {
    taskLog.take();
    const answer = textOfResult(await client.callTool('count', {}, { meta: asTask() }));
    if (!isCount(answer)) return answer;
    const statuses = taskLog.take();
    if (statuses.length === 0) return '– inline';
    return statuses.at(-1) === 'completed' ? 'finished' : statuses.join();
  },
  'task cancelled': async ({ client, tasks, taskLog }) => {
    const giveUp = new AbortController();
    const created = taskLog.next();
    const { signal } = giveUp;
    const call = client.callTool('count', { pace: paceFor(client) }, { meta: asTask(), signal });
    const change = await Promise.race([created, call.then(() => undefined)]);
    if (change === undefined) return '– inline';
    giveUp.abort();
    const reason = await call.then(
      () => 'finished',
      (error: unknown) => (error instanceof SessionError ? error.reason : `${error}`),
    );
    if (reason !== 'cancelled') return reason;
    const { tasks: own } = tasks.of(client);
    let { status } = await own.get(change.reference);
    while (status === 'working') {
      await delay(5);
      ({ status } = await own.get(change.reference));
    }
    return status === 'cancelled' ? 'stopped' : status;
  },
  'task answered': async ({ client, taskLog }) => {
    await client.callTool('create', { name: 'draft', text: '# Draft\n' });
    taskLog.take();
    const answer = textOfResult(await client.callTool('delete', { name: 'draft' }, { meta: asTask() }));
    if (answer.includes('cannot ask the user')) {
      await client.callTool('delete', { name: 'draft', confirmed: true });
      return '– cannot ask';
    }
    if (answer !== 'Deleted "draft".') return answer;
    const statuses = taskLog.take();
    if (statuses.length === 0) return '– inline';
    return statuses.includes('input_required') ? 'answered' : statuses.join();
  },
  'task resumed': async (stage) => {
    const { opened, taskOptions, tasks } = stage;
    if (!hasTasks(stage.client)) return '– inline';
    if (opened.another === undefined) return '– server ends';
    const reference = await leaveTask(stage, await opened.another(taskOptions));
    const client = await opened.another(taskOptions);
    try {
      const answer = textOfResult(await tasks.of(client).tasks.resume(JSON.parse(reference)));
      return isCount(answer) ? 'resumed' : answer;
    } finally {
      await client.close();
    }
  },
};

/** Starts a task and closes the client. Returns the reference of the task as text, as a program would store it. */
async function leaveTask({ taskLog }: Stage, client: NotesClient): Promise<string> {
  try {
    // In the revision in which the client decides, it has to know the tool.
    await client.tools().all();
    const created = taskLog.next();
    const call = client.callTool('count', { pace: paceFor(client) }, { meta: asTask() });
    call.catch(() => undefined);
    return JSON.stringify((await created).reference);
  } finally {
    await client.close();
  }
}

function isCount(answer: string): boolean {
  return /^\d+ words in \d+ notes\.$/.test(answer);
}

/** Returns the milliseconds between two notes, so that a task is still running when it is cancelled or left. */
function paceFor(client: NotesClient): number {
  return hasTasks(client) ? 30 : 0;
}

/** True if the revision in use has tasks: in its core, or as an extension. */
function hasTasks({ capabilities }: NotesClient): boolean {
  const { tasks, extensions } = capabilities;
  return tasks !== undefined || extensions?.['io.modelcontextprotocol/tasks'] !== undefined;
}
