import type { Command } from 'commander';
import type { CommandContext, Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { TaskLine, TaskOptions } from './task-line.js';

type Run = (line: TaskLine) => Promise<void>;

const help = `
ID is the id of a task, or the beginning of the id of a task that tenon has started.
For other tasks name the server too: tenon tasks get SERVER ID

Examples:
  tenon call https://example.com/mcp render frames=300 --task
  tenon tasks list
  tenon tasks resume 4f1c
`;

/** `tenon tasks`: the tasks of servers. */
export const declareTasks: Declare = (program, context) => {
  const tasks = program
    .command('tasks')
    .usage('COMMAND [SERVER] [ID] [options] [-- SERVER-COMMAND ARGS...]')
    .description('list, watch, answer, resume and cancel tool calls that run as tasks')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', help);
  const add = (name: string, words: string, description: string) => {
    const command = tasks.command(`${name} ${words}`).description(description);
    command.usage(`[SERVER] ${name === 'list' ? '' : 'ID '}[options] [-- SERVER-COMMAND ARGS...]`);
    if (name !== 'list') command.option('--id <id>', 'the id of the task, if it begins with a dash');
    return withServerOptions(command);
  };
  run(
    add('list', '[server]', 'list the stored tasks, and those of a server'),
    context,
    async () => (await import('./run-tasks.js')).listTasks,
  );
  run(
    add('get', '[server-or-id] [id]', 'print the state of a task'),
    context,
    async () => (await import('./run-tasks.js')).getTask,
  );
  run(
    add('watch', '[server-or-id] [id]', 'print each change of a task until its end'),
    context,
    async () => (await import('./follow-task.js')).watchTask,
  );
  run(
    add('result', '[server-or-id] [id]', 'print the result of a task that has ended'),
    context,
    async () => (await import('./follow-task.js')).printResult,
  );
  run(
    add(
      'resume',
      '[server-or-id] [id]',
      'follow a task to its end, answer its input requests, print its result',
    )
      .option('--answers <file>', 'answer input requests with this file')
      .option('--cancel-on-interrupt', 'cancel the task after Ctrl+C; otherwise it goes on'),
    context,
    async () => (await import('./follow-task.js')).resumeTask,
  );
  run(
    add('answer', '[server-or-id] [id]', 'answer the open input requests of a task, and return at once')
      .option('--key <key>', 'the input request; needed if several are open')
      .option('--accept <json>', 'accept, with the fields as a JSON object')
      .option('--decline', 'decline')
      .option('--cancel', 'dismiss the input request without a choice')
      .option('--answers <file>', 'a JSON object with the responses by key'),
    context,
    async () => (await import('./run-tasks.js')).answerTask,
  );
  run(
    add('cancel', '[server-or-id] [id]', 'request the end of a task'),
    context,
    async () => (await import('./run-tasks.js')).cancelTask,
  );
};

function run(command: Command, context: CommandContext, load: () => Promise<Run>): void {
  command.action(async (...given: readonly unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const words = given.slice(0, -2).filter((word) => typeof word === 'string');
    const options = command.opts<TaskOptions>();
    const start = await load();
    await start({ ...context, words, options });
  });
}
