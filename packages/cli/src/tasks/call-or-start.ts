import type { ToolResult } from '@tenon/mcp-client';
import type { ServerClient, ServerTarget } from '@tenon/mcp-workbench';
import { ownFolder } from '../server/client-environment.js';
import type { ServerLine } from '../server/with-client.js';
import { storeReference, type TaskCall, type TaskStarter } from './start-task.js';
import { wordsOf } from './stored-task.js';
import { TaskStore } from './task-store.js';

/** A connected server, and the starter if the call may be left as a task. */
export interface CallPlace {
  readonly client: ServerClient;
  readonly target: ServerTarget;
  readonly starter: TaskStarter | undefined;
}

/**
 * Calls a tool and returns its result. A call that has become a task is stored and printed, and goes on at the server: the result is
 * undefined. A task of a server that was started for this command is followed to its end, because the server ends with the command.
 */
export async function callOrStart(
  { client, target, starter }: CallPlace,
  call: TaskCall,
  { terminal, options }: Pick<ServerLine, 'terminal' | 'options'>,
): Promise<ToolResult | undefined> {
  if (starter === undefined) return client.callTool(call.name, call.args, call.options);
  if (target.kind === 'command') {
    starter.leaves = false;
    terminal.note('The server ends with this command: the task is followed to its end.');
  }
  const started = await starter.start(client, call);
  if (started.kind === 'result') {
    if (starter.leaves) terminal.note('The server has answered at once, without a task.');
    return started.result;
  }
  const { reference } = started;
  if (options.json) terminal.printJson(reference);
  else terminal.print(reference.taskId);
  await storeReference(started, target, new TaskStore(ownFolder(terminal.source)));
  terminal.note(`The task goes on at the server. Follow it: tenon tasks resume ${wordsOf(reference.taskId)}`);
  return undefined;
}
