import { InvalidArgumentError, Option } from 'commander';
import { addHeader, collect, portNumber, positiveNumber } from '../server/server-options.js';
import { type CommandRow, server } from './declare.js';

/** The commands for the author of a server, in the order of the help. */
export const developCommands: readonly CommandRow[] = [
  {
    name: 'dev',
    words: [['[file]', 'the file of the server: TypeScript or JavaScript']],
    about: 'run a server, reload it on changes, keep clients connected',
    options: [
      ['--stdio', 'speak over stdin and stdout instead of HTTP'],
      ['-p, --port <port>', 'the port (default: 3000, or the next free one)', portNumber],
      ['--watch <glob>', 'also reload when these files change (repeatable)', collect],
      ['--env-file <file>', 'set the variables of a .env file'],
      new Option('--quiet', 'print failures and crashes only').conflicts('json'),
      ['--json', 'print events as lines of JSON'],
    ],
    help: `
Examples:
  tenon dev server.ts
  tenon dev server.ts --port 8080 --watch 'data/**'
  tenon dev --stdio server.ts        for the configuration of a client
  tenon dev --stdio -- python server.py`,
    run: async () => (await import('../commands/develop/dev.js')).runDev,
  },
  {
    name: 'record',
    words: [['<file>', 'the recording to write: Markdown'], server],
    about: 'record the messages between a client and a server, as a proxy between them',
    options: [
      ['-p, --port <port>', 'listen at this port, for a URL (default: any free port)', portNumber],
      ['--append', 'add to an existing recording'],
      ['--force', 'replace an existing file'],
      ['--no-redact', 'write secrets too'],
      ['-v, --verbose', 'print each message on stderr'],
    ],
    server: { without: ['revision', 'transport', 'timeout', 'storedAuthOnly', 'record'] },
    help: `
Examples:
  tenon record session.md -- node server.js
      speaks stdio in place of the server: start this from the configuration of a client
  tenon record session.md https://example.com/mcp --port 8000
      listens at http://127.0.0.1:8000/mcp; point the client there`,
    run: async () => (await import('../commands/develop/record.js')).runRecord,
  },
  {
    name: 'replay',
    words: [['<file>', 'a recording']],
    about: 'play the server of a recording, or with a server its client, and report differences',
    options: [
      ['--to <server>', 'play the client to this server: a URL or a name; or write a command after --'],
      ['--stdio', 'play the server on stdin and stdout; the default if stdin is not a terminal'],
      [
        '--http [port]',
        'play the server at http://127.0.0.1:PORT/mcp; the default on a terminal',
        portNumber,
      ],
      ['--ignore <name>', 'do not compare members with this name (repeatable)', collect],
      ['--update', 'write the new messages of the server into the recording'],
    ],
    server: { without: ['revision', 'record'] },
    help: `
Examples:
  tenon replay session.md --to https://example.com/mcp   the recorded client against a server
  tenon replay session.md --ignore updatedAt -- node server.js
  tenon replay session.md --http 8000                    the recorded server for a client`,
    run: async () => (await import('../commands/develop/replay.js')).runReplay,
  },
  {
    name: 'diff',
    words: [
      ['[before]', 'the older side'],
      ['[after]', 'the newer side'],
    ],
    about: 'compare tools, schemas, other lists and results; tell which changes break callers',
    options: [
      ['--calls <recording>', 'send the calls of this recording to both servers, compare the results'],
      ['--ignore <name>', 'do not compare members of results with this name (repeatable)', collect],
      ['--fail-on <changes>', 'the changes that give exit code 6', ['any', 'breaking', 'never'], 'breaking'],
    ],
    server: { without: ['record'] },
    help: `
A side is a recording, a catalog (tenon list --json > a.json), a URL, a name, or a command after --.

Examples:
  tenon diff released.json -- node server.js
  tenon diff https://example.com/mcp http://127.0.0.1:3000/mcp --calls session.md
  tenon diff -- node old.js -- node new.js`,
    run: async () => (await import('../commands/develop/diff.js')).runDiff,
  },
  {
    name: 'lint',
    words: [server],
    about: 'check names, descriptions, schemas, annotations and token cost',
    options: [
      ['--rule <id=severity>', 'off, info, warning or error for a rule', addPair],
      ['--limit <name=number>', 'another limit, such as tokens=10000', addPair],
      [
        '--fail-on <severity>',
        'exit with 6 from this severity on (default: error)',
        ['error', 'warning', 'never'],
      ],
      ['--format <name>', 'the output', ['text', 'json', 'sarif', 'github'], 'text'],
      ['--notes', 'print findings of severity info too'],
      ['--costs', 'print the tokens of each tool'],
      ['--call', 'call tools with readOnlyHint, and check their results'],
      ['--calls <file>', 'arguments for --call: {"tool": {"argument": "value"}}'],
      ['--source <file>', 'the file that defines the server, for places in it'],
      ['--rules', 'list all rules'],
    ],
    server: {},
    help: `
Examples:
  tenon lint https://example.com/mcp
  tenon lint --fail-on warning --rule title-missing=warning -- node server.js
  tenon lint --format sarif --source src/server.ts -- node server.js > lint.sarif
`,
    run: async () => (await import('../commands/develop/lint.js')).runLint,
  },
  {
    name: 'openapi',
    words: [['<document>', 'a file, or a URL: OpenAPI 3 in JSON or YAML']],
    about: 'list the tools that an OpenAPI document makes, with their cost, or serve them',
    options: [
      ['--include <filter>', 'tag=NAME, path=/pets*, method=GET or id=NAME (repeatable)', collect],
      ['--deprecated', 'make tools of deprecated operations too'],
      ['--serve', 'serve the tools on stdin and stdout, or with --port over HTTP'],
      ['-p, --port <port>', 'with --serve: listen at this port of this machine', portNumber],
      ['--base-url <url>', 'the URL of the API'],
      ['--document-servers', 'trust the servers that the document names'],
      [
        '-H, --header <header>',
        'send a header to the API, such as "Authorization: Bearer TOKEN"',
        addHeader,
        {},
      ],
      ['--notes', 'print findings of severity info too'],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Examples:
  tenon openapi openapi.yaml
  tenon openapi https://api.example.com/openapi.json --include tag=orders
  tenon openapi openapi.yaml --serve --port 3000 --base-url https://api.example.com/v1`,
    run: async () => (await import('../commands/develop/openapi.js')).runOpenApi,
  },
  {
    name: 'compat',
    words: [server],
    about: 'try all revisions and transports, and compare with known clients',
    options: [
      ['--client <id>', 'compare with this client only (repeatable)', collect],
      ['--name <name>', 'the name under which clients list the server'],
      ['--sse <url>', 'the URL of HTTP+SSE, if it differs'],
      ['--call', 'call tools with readOnlyHint, to measure their results'],
      ['--fail-on <severity>', 'exit with 6 from this severity on', ['error', 'warning', 'never'], 'error'],
      ['--notes', 'print notes too'],
      ['--sources', 'print where the limits of clients are from'],
      ['--clients', 'list the known clients and their limits'],
    ],
    server: { without: ['revision', 'record'] },
    help: `
Examples:
  tenon compat https://example.com/mcp
  tenon compat --client cursor --client vscode -- node server.js
  tenon compat --clients
`,
    run: async () => (await import('../commands/develop/compat.js')).runCompat,
  },
  {
    name: 'doctor',
    words: [server],
    about: 'find out why a server cannot be used, and how to fix it',
    options: [
      ['--sign-in', 'open the browser if the server requires sign-in'],
      ['--origin <origin>', 'check that pages of this origin can call the server (CORS)'],
    ],
    server: { without: ['storedAuthOnly', 'record'] },
    help: `
Examples:
  tenon doctor https://example.com/mcp
  tenon doctor https://example.com/mcp --origin https://app.example.com
  tenon doctor -- npx -y my-server --stdio`,
    run: async () => (await import('../commands/develop/doctor.js')).runDoctor,
  },
  {
    name: 'bench',
    words: [['[words...]', 'the server, a tool, and its arguments as in tenon call']],
    usage: '[SERVER] [TOOL] [name=value...] [options] [-- COMMAND ARGS...]',
    about: 'measure latency and throughput under load; without a tool it calls tools/list',
    options: [
      ['--timeout <seconds>', 'seconds that one call may take (default: 30)', positiveNumber],
      ['--args <json>', 'arguments as JSON, @file, or - for stdin'],
      ['--calls <file>', 'a mix of calls: [{ "tool", "arguments", "weight" }, { "method" }]'],
      ['--connections <n>', 'connections (default: 1)', positiveNumber],
      ['--concurrency <n>', 'calls in flight, over all connections (default: 1)', positiveNumber],
      ['--duration <seconds>', 'seconds of the measurement (default: 10)', positiveNumber],
      ['--requests <n>', 'end after so many calls', positiveNumber],
      ['--warmup <n>', 'calls before the measurement (default: 20)', Number],
      ['--rate <n>', 'start n calls a second, however long they take', positiveNumber],
      ['--compare <file>', 'compare with a report that --json has printed'],
      ['--i-own-this-server', 'allow a server that is not on this machine'],
    ],
    server: { without: ['record', 'timeout'] },
    help: `
Examples:
  tenon bench http://127.0.0.1:3000/mcp search q=tea --concurrency 8
  tenon bench --rate 200 --duration 30 --json http://127.0.0.1:3000/mcp search q=tea > before.json
  tenon bench --calls calls.json --compare before.json -- node server.js`,
    run: async () => (await import('../commands/develop/bench.js')).runBench,
  },
  {
    name: 'conformance',
    words: [['[server]', 'a URL, or a configured name']],
    about: 'run the official conformance suite against a server over HTTP',
    options: [
      ['--suite <name>', 'scenarios to run (default: active)', ['active', 'all', 'draft', 'pending']],
      ['--scenario <name>', 'run one scenario'],
      ['--requirements <revision>', 'run what a revision requires'],
      ['--revision <revision>', 'run scenarios of one revision only'],
      ['--expected-failures <file>', "a YAML file of the suite's format"],
      ['--strict', "count scenarios that need tools of the suite's own server"],
      ['--output <folder>', 'keep the files of the suite'],
      ['--node <file>', 'the Node that runs the suite (22 or newer)'],
      ['--suite-version <version>', 'the version to download'],
      ['--no-download', 'fail if the suite or a Node would be downloaded'],
      ['--config <file>', 'look up the name of the server in this file only'],
      ['--timeout <seconds>', 'seconds for one scenario', positiveNumber],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Examples:
  tenon conformance http://127.0.0.1:3000/mcp
  tenon conformance http://127.0.0.1:3000/mcp --suite all --strict
  tenon conformance http://127.0.0.1:3000/mcp --scenario tools-list --json`,
    run: async () => (await import('../commands/develop/conformance.js')).runConformance,
  },
];

function addPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It is written name=value, such as title-missing=off.');
  return { ...pairs, [name]: value };
}
