import { InvalidArgumentError } from 'commander';
import { collect, logLevel, positiveNumber, wholeNumber } from '../server/server-options.js';
import { type CommandRow, server } from './declare.js';

const taskCommands: readonly CommandRow[] = [
  {
    name: 'list',
    about: 'list the stored tasks, and those of a server',
    run: async () => (await import('../commands/use/tasks.js')).listTasks,
  },
  {
    name: 'get',
    about: 'print the state of a task',
    run: async () => (await import('../commands/use/tasks.js')).getTask,
  },
  {
    name: 'watch',
    about: 'print each change of a task until its end',
    run: async () => (await import('../commands/use/follow-task.js')).watchTask,
  },
  {
    name: 'result',
    about: 'print the result of a task that has ended',
    run: async () => (await import('../commands/use/follow-task.js')).printResult,
  },
  {
    name: 'resume',
    about: 'follow a task to its end, answer its input requests, print its result',
    options: [
      ['--answers <file>', 'answer input requests with this file'],
      ['--cancel-on-interrupt', 'cancel the task after Ctrl+C; otherwise it goes on'],
    ],
    run: async () => (await import('../commands/use/follow-task.js')).resumeTask,
  },
  {
    name: 'answer',
    about: 'answer the open input requests of a task, and return at once',
    options: [
      ['--key <key>', 'the input request; needed if several are open'],
      ['--accept <json>', 'accept, with the fields as a JSON object'],
      ['--decline', 'decline'],
      ['--cancel', 'dismiss the input request without a choice'],
      ['--answers <file>', 'a JSON object with the responses by key'],
    ],
    run: async () => (await import('../commands/use/tasks.js')).answerTask,
  },
  {
    name: 'cancel',
    about: 'request the end of a task',
    run: async () => (await import('../commands/use/tasks.js')).cancelTask,
  },
];

/** Adds the words and options that all commands of `tenon tasks` have. */
function taskCommand(row: CommandRow): CommandRow {
  if (row.name === 'list')
    return {
      ...row,
      words: [['[server]']],
      usage: '[SERVER] [options] [-- SERVER-COMMAND ARGS...]',
      server: {},
    };
  const { options = [] } = row;
  return {
    ...row,
    words: [['[server-or-id]'], ['[id]']],
    usage: '[SERVER] ID [options] [-- SERVER-COMMAND ARGS...]',
    options: [['--id <id>', 'the id of the task, if it begins with a dash'], ...options],
    server: {},
  };
}

/** The commands that use a server, in the order of the help. */
export const useCommands: readonly CommandRow[] = [
  {
    name: 'list',
    words: [['[words...]']],
    usage: '[SERVER] [NAME] [options] [-- COMMAND ARGS...]',
    about: 'list tools as TypeScript, resources and prompts',
    options: [
      ['--tools', 'list tools only'],
      ['--resources', 'list resources and templates only'],
      ['--prompts', 'list prompts only'],
      ['--all', 'print all parameters and whole descriptions'],
      ['--schema', 'print the JSON Schemas of tools'],
    ],
    server: {},
    help: `
Examples:
  tenon list https://example.com/mcp
  tenon list src/server.ts
  tenon list my-server search --schema
  tenon list --tools --all -- node server.js`,
    run: async () => (await import('../commands/use/list.js')).runList,
  },
  {
    name: 'call',
    words: [['[words...]']],
    usage: '[SERVER] TOOL [name=value...] [options] [-- COMMAND ARGS...]',
    about: 'call a tool',
    options: [
      ['--args <json>', 'arguments as JSON, @file, or - for stdin'],
      ['--answers <file>', 'answers to input requests, as JSON'],
      ['-o, --output <file>', 'write the text, or the only image or file, to a new file'],
      ['--save-images <folder>', 'save images, audio and other files in a folder'],
      ['--force', 'replace the file of --output'],
      ['--dry-run', 'check the arguments and print the request; do not call'],
      ['--no-check', 'send arguments that the input schema does not allow'],
      ['--confirm', 'ask before a tool that is not read-only'],
      ['--task', 'run the call as a task'],
      ['--progress', 'print each step of progress as a line'],
      ['--log <level>', 'print log messages of the server, from a level on', logLevel],
      ['--key <text>', 'idempotency key: the same key runs the call once'],
    ],
    server: {},
    help: `
Examples:
  tenon call https://example.com/mcp search query=tea limit=3
  tenon call 'my-server.search(query: "tea", tags: ["green"])'
  tenon call resize image=@logo.png size.width=64 -- node server.js`,
    run: async () => (await import('../commands/use/call.js')).runCall,
  },
  {
    name: 'chat',
    words: [['[targets...]', 'URLs, .ts or .js files, or configured names']],
    usage: '[SERVER...] [options] [-- COMMAND ARGS...]',
    about: 'talk to a model that has the tools of servers',
    options: [
      ['--demo', 'use a scripted model, and servers of its own if none is named'],
      ['-m, --model <name>', 'the model, such as claude-sonnet-4-5 or gpt-5'],
      ['--base-url <url>', 'the address of another API, such as http://127.0.0.1:11434/v1'],
      ['--provider <format>', 'the format of the API (default: by the model)', ['openai', 'anthropic']],
      ['--max-tokens <n>', 'tokens of one reply, at most', wholeNumber],
      ['-s, --server <name>', 'a configured server (repeatable)', collect],
      ['--allow <rule>', 'call without asking: SERVER or SERVER.TOOL, with * (repeatable)', collect],
      ['--audit <file>', 'record each request in this file'],
    ],
    server: { without: ['transport', 'timeout', 'record', 'json'] },
    help: `
The key of the model is read from OPENAI_API_KEY, ANTHROPIC_API_KEY or TENON_MODEL_KEY; addresses other
than those of the two providers receive TENON_MODEL_KEY only. Each call of a tool asks first.
Without a terminal, each line of stdin is a message, and what would ask is refused.

Examples:
  tenon chat --demo
  tenon chat https://example.com/mcp my-server --model claude-sonnet-4-5
  tenon chat --model qwen3 --base-url http://127.0.0.1:11434/v1 -- node server.js
  echo "Find tea" | tenon chat my-server --model gpt-5 --allow my-server.search`,
    run: async () => (await import('../commands/use/chat.js')).runChat,
  },
  {
    name: 'read',
    words: [['[words...]']],
    usage: '[SERVER] URI [options] [-- COMMAND ARGS...]',
    about: 'read a resource',
    options: [
      ['-o, --output <file>', 'write the resource to a new file'],
      ['--force', 'replace the file of --output'],
      ['--answers <file>', 'answers to input requests, as JSON'],
    ],
    server: {},
    help: `
Examples:
  tenon read https://example.com/mcp docs://readme
  tenon read file:///logo.png --output logo.png -- node server.js`,
    run: async () => (await import('../commands/use/read.js')).runRead,
  },
  {
    name: 'prompt',
    words: [['[words...]']],
    usage: '[SERVER] PROMPT [name=value...] [options] [-- COMMAND ARGS...]',
    about: 'get a prompt, and print its messages',
    options: [
      ['--save-images <folder>', 'save images, audio and other files in a folder'],
      ['--answers <file>', 'answers to input requests, as JSON'],
    ],
    server: {},
    help: `
Examples:
  tenon prompt https://example.com/mcp review language=go
  tenon prompt greet name=Ada -- node server.js`,
    run: async () => (await import('../commands/use/prompt.js')).runPrompt,
  },
  {
    name: 'complete',
    words: [['[words...]']],
    usage: '[SERVER] PROMPT|TEMPLATE [name=value...] name=BEGINNING [options] [-- COMMAND ARGS...]',
    about: 'print values for an argument of a prompt or template',
    server: {},
    help: `
The last argument is completed; the others are its context.

Examples:
  tenon complete https://example.com/mcp review language=p
  tenon complete 'repo://{owner}/{name}' owner=ada name= -- node server.js`,
    run: async () => (await import('../commands/use/complete.js')).runComplete,
  },
  {
    name: 'watch',
    words: [server],
    about: 'print changes of lists, resources and tasks, and log messages, as they arrive',
    options: [
      ['-r, --resource <uri>', 'watch this resource too (repeatable)', collect],
      ['--task <id>', 'watch this task too (repeatable)', collect],
      ['--log <level>', 'print log messages of the server, from a level on', logLevel],
      ['--poll <seconds>', 'read the lists at this interval, for servers that do not notify', seconds],
      ['--until <events>', 'end after this number of events', wholeNumber],
      ['--for <seconds>', 'end after this time', seconds],
    ],
    server: {},
    help: `
Examples:
  tenon watch https://example.com/mcp --resource file:///report.txt
  tenon watch --log info --json -- node server.js
`,
    run: async () => (await import('../commands/use/watch.js')).runWatch,
  },
  {
    name: 'tasks',
    usage: 'COMMAND [SERVER] [ID] [options] [-- SERVER-COMMAND ARGS...]',
    about: 'list, watch, answer, resume and cancel tool calls that run as tasks',
    help: `
ID is the id of a task, or the beginning of the id of a task that tenon has started.
For other tasks name the server too: tenon tasks get SERVER ID

Examples:
  tenon call https://example.com/mcp render frames=300 --task
  tenon tasks list
  tenon tasks resume 4f1c
`,
    commands: taskCommands.map(taskCommand),
  },
  {
    name: 'app',
    words: [['[words...]', 'the server, and a tool']],
    usage: '[SERVER] [TOOL] [options] [-- COMMAND ARGS...]',
    about: 'print the MCP App of a tool',
    options: [['-o, --output <file>', 'write the HTML document of the app to a new file']],
    server: {},
    help: `
Without TOOL, lists the tools that have an app. Exits with 2 if there is none.

Examples:
  tenon app https://example.com/mcp
  tenon app show_chart --output chart.html -- node server.js`,
    run: async () => (await import('../commands/use/app.js')).runApp,
  },
  {
    name: 'skills',
    words: [['[words...]', 'the server, and the URI of a skill']],
    usage: '[SERVER] [URI] [options] [-- COMMAND ARGS...]',
    about: 'list, print and verify skills',
    options: [['--verify', 'read every file, and compare it with its digest and size']],
    server: {},
    help: `
Without URI, lists the skills. With URI, prints the SKILL.md of the skill, verified.
Exits with 6 if --verify finds a problem.

Examples:
  tenon skills https://example.com/mcp --verify
  tenon skills skill://refunds/SKILL.md -- node server.js`,
    run: async () => (await import('../commands/use/skills.js')).runSkills,
  },
];

/** Reads seconds that a timer can wait. */
function seconds(text: string): number {
  const value = positiveNumber(text);
  if (value > longest) throw new InvalidArgumentError(`It must be ${longest} seconds (24 days) at most.`);
  return value;
}

const longest = 2_000_000;
