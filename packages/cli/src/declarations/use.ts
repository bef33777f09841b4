import { type Command, InvalidArgumentError } from 'commander';
import { type Declare, runs } from '../context.js';
import { collect, logLevel, positiveNumber, withServerOptions } from '../server/server-options.js';

/** `tenon list`: prints what a server offers. */
const list = (program: Command): Command =>
  withServerOptions(
    program
      .command('list')
      .argument('[words...]')
      .usage('[SERVER] [NAME] [options] [-- COMMAND ARGS...]')
      .description('list tools as TypeScript, resources and prompts')
      .option('--tools', 'list tools only')
      .option('--resources', 'list resources and templates only')
      .option('--prompts', 'list prompts only')
      .option('--all', 'print all parameters and whole descriptions')
      .option('--schema', 'print the JSON Schemas of tools'),
  ).addHelpText(
    'after',
    `
Examples:
  tenon list https://example.com/mcp
  tenon list src/server.ts
  tenon list my-server search --schema
  tenon list --tools --all -- node server.js`,
  );

/** `tenon call`: calls a tool. */
const call = (program: Command): Command =>
  withServerOptions(
    program
      .command('call')
      .argument('[words...]')
      .usage('[SERVER] TOOL [name=value...] [options] [-- COMMAND ARGS...]')
      .description('call a tool')
      .option('--args <json>', 'arguments as JSON, @file, or - for stdin')
      .option('--answers <file>', 'answers to input requests, as JSON')
      .option('-o, --output <file>', 'write the text, or the only image or file, to a new file')
      .option('--save-images <folder>', 'save images, audio and other files in a folder')
      .option('--force', 'replace the file of --output')
      .option('--dry-run', 'check the arguments and print the request; do not call')
      .option('--no-check', 'send arguments that the input schema does not allow')
      .option('--confirm', 'ask before a tool that is not read-only')
      .option('--task', 'run the call as a task')
      .option('--progress', 'print each step of progress as a line')
      .option('--log <level>', 'print log messages of the server, from a level on', logLevel)
      .option('--key <text>', 'idempotency key: the same key runs the call once'),
  ).addHelpText(
    'after',
    `
Examples:
  tenon call https://example.com/mcp search query=tea limit=3
  tenon call 'my-server.search(query: "tea", tags: ["green"])'
  tenon call resize image=@logo.png size.width=64 -- node server.js`,
  );

/** `tenon read`: reads a resource. */
const read = (program: Command): Command =>
  withServerOptions(
    program
      .command('read')
      .argument('[words...]')
      .usage('[SERVER] URI [options] [-- COMMAND ARGS...]')
      .description('read a resource')
      .option('-o, --output <file>', 'write the resource to a new file')
      .option('--force', 'replace the file of --output')
      .option('--answers <file>', 'answers to input requests, as JSON'),
  ).addHelpText(
    'after',
    `
Examples:
  tenon read https://example.com/mcp docs://readme
  tenon read file:///logo.png --output logo.png -- node server.js`,
  );

/** `tenon prompt`: gets a prompt. */
const prompt = (program: Command): Command =>
  withServerOptions(
    program
      .command('prompt')
      .argument('[words...]')
      .usage('[SERVER] PROMPT [name=value...] [options] [-- COMMAND ARGS...]')
      .description('get a prompt, and print its messages')
      .option('--save-images <folder>', 'save images, audio and other files in a folder')
      .option('--answers <file>', 'answers to input requests, as JSON'),
  ).addHelpText(
    'after',
    `
Examples:
  tenon prompt https://example.com/mcp review language=go
  tenon prompt greet name=Ada -- node server.js`,
  );

/** `tenon complete`: prints values for an argument. */
const complete = (program: Command): Command =>
  withServerOptions(
    program
      .command('complete')
      .argument('[words...]')
      .usage('[SERVER] PROMPT|TEMPLATE [name=value...] name=BEGINNING [options] [-- COMMAND ARGS...]')
      .description('print values for an argument of a prompt or template'),
  ).addHelpText(
    'after',
    `
The last argument is completed; the others are its context.

Examples:
  tenon complete https://example.com/mcp review language=p
  tenon complete 'repo://{owner}/{name}' owner=ada name= -- node server.js`,
  );

/** `tenon watch`: prints the notifications of a server as they arrive. */
const watch = (program: Command): Command =>
  withServerOptions(
    program
      .command('watch')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('print changes of lists, resources and tasks, and log messages, as they arrive')
      .option('-r, --resource <uri>', 'watch this resource too (repeatable)', collect)
      .option('--task <id>', 'watch this task too (repeatable)', collect)
      .option('--log <level>', 'print log messages of the server, from a level on', logLevel)
      .option('--poll <seconds>', 'read the lists at this interval, for servers that do not notify', seconds)
      .option('--until <events>', 'end after this number of events', count)
      .option('--for <seconds>', 'end after this time', seconds),
  ).addHelpText(
    'after',
    `
Examples:
  tenon watch https://example.com/mcp --resource file:///report.txt
  tenon watch --log info --json -- node server.js
`,
  );

function count(text: string): number {
  const value = positiveNumber(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

/** Reads seconds that a timer can wait. */
function seconds(text: string): number {
  const value = positiveNumber(text);
  if (value > longest) throw new InvalidArgumentError(`It must be ${longest} seconds (24 days) at most.`);
  return value;
}

const longest = 2_000_000;

/** A command of `tenon tasks`. */
const taskCommand = (name: string, words: string, description: string) => (tasks: Command) => {
  const command = tasks.command(`${name} ${words}`).description(description);
  command.usage(`[SERVER] ${name === 'list' ? '' : 'ID '}[options] [-- SERVER-COMMAND ARGS...]`);
  if (name !== 'list') command.option('--id <id>', 'the id of the task, if it begins with a dash');
  return withServerOptions(command);
};

const ofTask = '[server-or-id] [id]';

const taskCommands: readonly Declare[] = [
  runs(
    taskCommand('list', '[server]', 'list the stored tasks, and those of a server'),
    async () => (await import('../commands/tasks.js')).listTasks,
  ),
  runs(
    taskCommand('get', ofTask, 'print the state of a task'),
    async () => (await import('../commands/tasks.js')).getTask,
  ),
  runs(
    taskCommand('watch', ofTask, 'print each change of a task until its end'),
    async () => (await import('../commands/follow-task.js')).watchTask,
  ),
  runs(
    taskCommand('result', ofTask, 'print the result of a task that has ended'),
    async () => (await import('../commands/follow-task.js')).printResult,
  ),
  runs(
    (tasks) =>
      taskCommand(
        'resume',
        ofTask,
        'follow a task to its end, answer its input requests, print its result',
      )(tasks)
        .option('--answers <file>', 'answer input requests with this file')
        .option('--cancel-on-interrupt', 'cancel the task after Ctrl+C; otherwise it goes on'),
    async () => (await import('../commands/follow-task.js')).resumeTask,
  ),
  runs(
    (tasks) =>
      taskCommand(
        'answer',
        ofTask,
        'answer the open input requests of a task, and return at once',
      )(tasks)
        .option('--key <key>', 'the input request; needed if several are open')
        .option('--accept <json>', 'accept, with the fields as a JSON object')
        .option('--decline', 'decline')
        .option('--cancel', 'dismiss the input request without a choice')
        .option('--answers <file>', 'a JSON object with the responses by key'),
    async () => (await import('../commands/tasks.js')).answerTask,
  ),
  runs(
    taskCommand('cancel', ofTask, 'request the end of a task'),
    async () => (await import('../commands/tasks.js')).cancelTask,
  ),
];

/** `tenon tasks`: the tasks of servers. */
const tasks: Declare = (program, context) => {
  const command = program
    .command('tasks')
    .usage('COMMAND [SERVER] [ID] [options] [-- SERVER-COMMAND ARGS...]')
    .description('list, watch, answer, resume and cancel tool calls that run as tasks')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (one) => one.name() })
    .addHelpText(
      'after',
      `
ID is the id of a task, or the beginning of the id of a task that tenon has started.
For other tasks name the server too: tenon tasks get SERVER ID

Examples:
  tenon call https://example.com/mcp render frames=300 --task
  tenon tasks list
  tenon tasks resume 4f1c
`,
    );
  for (const declare of taskCommands) declare(command, context);
};

/** `tenon app`: prints the MCP App of a tool. */
const app = (program: Command): Command =>
  withServerOptions(
    program
      .command('app')
      .argument('[words...]', 'the server, and a tool')
      .usage('[SERVER] [TOOL] [options] [-- COMMAND ARGS...]')
      .description('print the MCP App of a tool')
      .option('-o, --output <file>', 'write the HTML document of the app to a new file'),
  ).addHelpText(
    'after',
    `
Without TOOL, lists the tools that have an app. Exits with 2 if there is none.

Examples:
  tenon app https://example.com/mcp
  tenon app show_chart --output chart.html -- node server.js`,
  );

/** `tenon skills`: lists, prints and verifies skills. */
const skills = (program: Command): Command =>
  withServerOptions(
    program
      .command('skills')
      .argument('[words...]', 'the server, and the URI of a skill')
      .usage('[SERVER] [URI] [options] [-- COMMAND ARGS...]')
      .description('list, print and verify skills')
      .option('--verify', 'read every file, and compare it with its digest and size'),
  ).addHelpText(
    'after',
    `
Without URI, lists the skills. With URI, prints the SKILL.md of the skill, verified.
Exits with 6 if --verify finds a problem.

Examples:
  tenon skills https://example.com/mcp --verify
  tenon skills skill://refunds/SKILL.md -- node server.js`,
  );

/** The commands that use a server, in the order of the help. */
export const useCommands: readonly Declare[] = [
  runs(list, async () => (await import('../commands/list.js')).runList),
  runs(call, async () => (await import('../commands/call.js')).runCall),
  runs(read, async () => (await import('../commands/read.js')).runRead),
  runs(prompt, async () => (await import('../commands/prompt.js')).runPrompt),
  runs(complete, async () => (await import('../commands/complete.js')).runComplete),
  runs(watch, async () => (await import('../commands/watch.js')).runWatch),
  tasks,
  runs(app, async () => (await import('../commands/app.js')).runApp),
  runs(skills, async () => (await import('../commands/skills.js')).runSkills),
];
