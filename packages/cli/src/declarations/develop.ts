import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Declare, runs } from '../context.js';
import { collect, portNumber, positiveNumber, withServerOptions } from '../server/server-options.js';

/** `tenon dev`: runs a server and reloads it when its files change. */
const dev = (program: Command): Command =>
  program
    .command('dev')
    .argument('[file]', 'the file of the server: TypeScript or JavaScript')
    .description('run a server, reload it on changes, keep clients connected')
    .option('--stdio', 'speak over stdin and stdout instead of HTTP')
    .option('-p, --port <port>', 'the port (default: 3000, or the next free one)', portNumber)
    .option('--watch <glob>', 'also reload when these files change (repeatable)', collect)
    .option('--env-file <file>', 'set the variables of a .env file')
    .addOption(new Option('--quiet', 'print failures and crashes only').conflicts('json'))
    .option('--json', 'print events as lines of JSON')
    .addHelpText(
      'after',
      `
Examples:
  tenon dev server.ts
  tenon dev server.ts --port 8080 --watch 'data/**'
  tenon dev --stdio server.ts        for the configuration of a client
  tenon dev --stdio -- python server.py`,
    );

/** `tenon record`: a proxy that records a session. */
const record = (program: Command): Command =>
  withServerOptions(
    program
      .command('record')
      .argument('<file>', 'the recording to write: Markdown')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('record the messages between a client and a server, as a proxy between them')
      .option('-p, --port <port>', 'listen at this port, for a URL (default: any free port)', portNumber)
      .option('--append', 'add to an existing recording')
      .option('--force', 'replace an existing file')
      .option('--no-redact', 'write secrets too')
      .option('-v, --verbose', 'print each message on stderr'),
    ['revision', 'transport', 'timeout', 'storedAuthOnly', 'record'],
  ).addHelpText(
    'after',
    `
Examples:
  tenon record session.md -- node server.js
      speaks stdio in place of the server: start this from the configuration of a client
  tenon record session.md https://example.com/mcp --port 8000
      listens at http://127.0.0.1:8000/mcp; point the client there`,
  );

/** `tenon replay`: plays one end of a recording. */
const replay = (program: Command): Command =>
  withServerOptions(
    program
      .command('replay')
      .argument('<file>', 'a recording')
      .description('play the server of a recording, or with a server its client, and report differences')
      .option('--to <server>', 'play the client to this server: a URL or a name; or write a command after --')
      .option('--stdio', 'play the server on stdin and stdout; the default if stdin is not a terminal')
      .option(
        '--http [port]',
        'play the server at http://127.0.0.1:PORT/mcp; the default on a terminal',
        portNumber,
      )
      .option('--ignore <name>', 'do not compare members with this name (repeatable)', collect)
      .option('--update', 'write the new messages of the server into the recording'),
    ['revision', 'record'],
  ).addHelpText(
    'after',
    `
Examples:
  tenon replay session.md --to https://example.com/mcp   the recorded client against a server
  tenon replay session.md --ignore updatedAt -- node server.js
  tenon replay session.md --http 8000                    the recorded server for a client`,
  );

/** `tenon diff`: compares two servers or recordings. */
const diff = (program: Command): Command =>
  withServerOptions(
    program
      .command('diff')
      .argument('[before]', 'the older side')
      .argument('[after]', 'the newer side')
      .description('compare tools, schemas, other lists and results; tell which changes break callers')
      .option('--calls <recording>', 'send the calls of this recording to both servers, compare the results')
      .option('--ignore <name>', 'do not compare members of results with this name (repeatable)', collect)
      .addOption(
        new Option('--fail-on <changes>', 'the changes that give exit code 6')
          .choices(['any', 'breaking', 'never'])
          .default('breaking'),
      ),
    ['record'],
  ).addHelpText(
    'after',
    `
A side is a recording, a catalog (tenon list --json > a.json), a URL, a name, or a command after --.

Examples:
  tenon diff released.json -- node server.js
  tenon diff https://example.com/mcp http://127.0.0.1:3000/mcp --calls session.md
  tenon diff -- node old.js -- node new.js`,
  );

/** `tenon lint`: checks the definitions of a server. */
const lint = (program: Command): Command =>
  withServerOptions(
    program
      .command('lint')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('check names, descriptions, schemas, annotations and token cost')
      .option('--rule <id=severity>', 'off, info, warning or error for a rule', addPair)
      .option('--limit <name=number>', 'another limit, such as tokens=10000', addPair)
      .addOption(
        new Option('--fail-on <severity>', 'exit with 6 from this severity on (default: error)').choices([
          'error',
          'warning',
          'never',
        ]),
      )
      .addOption(
        new Option('--format <name>', 'the output')
          .choices(['text', 'json', 'sarif', 'github'])
          .default('text'),
      )
      .option('--notes', 'print findings of severity info too')
      .option('--costs', 'print the tokens of each tool')
      .option('--call', 'call tools with readOnlyHint, and check their results')
      .option('--calls <file>', 'arguments for --call: {"tool": {"argument": "value"}}')
      .option('--source <file>', 'the file that defines the server, for places in it')
      .option('--rules', 'list all rules')
      .addHelpText(
        'after',
        `
Examples:
  tenon lint https://example.com/mcp
  tenon lint --fail-on warning --rule title-missing=warning -- node server.js
  tenon lint --format sarif --source src/server.ts -- node server.js > lint.sarif
`,
      ),
  );

function addPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It is written name=value, such as title-missing=off.');
  return { ...pairs, [name]: value };
}

/** `tenon compat`: tries a server in all revisions, and compares it with known clients. */
const compat = (program: Command): Command =>
  withServerOptions(
    program
      .command('compat')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('try all revisions and transports, and compare with known clients')
      .option('--client <id>', 'compare with this client only (repeatable)', collect)
      .option('--name <name>', 'the name under which clients list the server')
      .option('--sse <url>', 'the URL of HTTP+SSE, if it differs')
      .option('--call', 'call tools with readOnlyHint, to measure their results')
      .addOption(
        new Option('--fail-on <severity>', 'exit with 6 from this severity on')
          .choices(['error', 'warning', 'never'])
          .default('error'),
      )
      .option('--notes', 'print notes too')
      .option('--sources', 'print where the limits of clients are from')
      .option('--clients', 'list the known clients and their limits')
      .addHelpText(
        'after',
        `
Examples:
  tenon compat https://example.com/mcp
  tenon compat --client cursor --client vscode -- node server.js
  tenon compat --clients
`,
      ),
    ['revision', 'record'],
  );

/** `tenon doctor`: finds out why a server cannot be used. */
const doctor = (program: Command): Command =>
  withServerOptions(
    program
      .command('doctor')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('find out why a server cannot be used, and how to fix it')
      .option('--sign-in', 'open the browser if the server requires sign-in')
      .option('--origin <origin>', 'check that pages of this origin can call the server (CORS)'),
    ['storedAuthOnly', 'record'],
  ).addHelpText(
    'after',
    `
Examples:
  tenon doctor https://example.com/mcp
  tenon doctor https://example.com/mcp --origin https://app.example.com
  tenon doctor -- npx -y my-server --stdio`,
  );

/** `tenon bench`: measures the latency of calls under load. */
const bench = (program: Command): Command =>
  withServerOptions(
    program
      .command('bench')
      .argument('[words...]', 'the server, a tool, and its arguments as in tenon call')
      .description('measure latency and throughput under load; without a tool it calls tools/list')
      .usage('[SERVER] [TOOL] [name=value...] [options] [-- COMMAND ARGS...]')
      .option('--timeout <seconds>', 'seconds that one call may take (default: 30)', positiveNumber)
      .option('--args <json>', 'arguments as JSON, @file, or - for stdin')
      .option('--calls <file>', 'a mix of calls: [{ "tool", "arguments", "weight" }, { "method" }]')
      .option('--connections <n>', 'connections (default: 1)', positiveNumber)
      .option('--concurrency <n>', 'calls in flight, over all connections (default: 1)', positiveNumber)
      .option('--duration <seconds>', 'seconds of the measurement (default: 10)', positiveNumber)
      .option('--requests <n>', 'end after so many calls', positiveNumber)
      .option('--warmup <n>', 'calls before the measurement (default: 20)', Number)
      .option('--rate <n>', 'start n calls a second, however long they take', positiveNumber)
      .option('--compare <file>', 'compare with a report that --json has printed')
      .option('--i-own-this-server', 'allow a server that is not on this machine'),
    ['record', 'timeout'],
  ).addHelpText(
    'after',
    `
Examples:
  tenon bench http://127.0.0.1:3000/mcp search q=tea --concurrency 8
  tenon bench --rate 200 --duration 30 --json http://127.0.0.1:3000/mcp search q=tea > before.json
  tenon bench --calls calls.json --compare before.json -- node server.js`,
  );

/** `tenon conformance`: runs the official conformance suite. */
const conformance = (program: Command): Command =>
  program
    .command('conformance')
    .argument('[server]', 'a URL, or a configured name')
    .description('run the official conformance suite against a server over HTTP')
    .addOption(
      new Option('--suite <name>', 'scenarios to run (default: active)').choices([
        'active',
        'all',
        'draft',
        'pending',
      ]),
    )
    .option('--scenario <name>', 'run one scenario')
    .option('--requirements <revision>', 'run what a revision requires')
    .option('--revision <revision>', 'run scenarios of one revision only')
    .option('--expected-failures <file>', "a YAML file of the suite's format")
    .option('--strict', "count scenarios that need tools of the suite's own server")
    .option('--output <folder>', 'keep the files of the suite')
    .option('--node <file>', 'the Node that runs the suite (22 or newer)')
    .option('--suite-version <version>', 'the version to download')
    .option('--no-download', 'fail if the suite or a Node would be downloaded')
    .option('--config <file>', 'look up the name of the server in this file only')
    .option('--timeout <seconds>', 'seconds for one scenario', positiveNumber)
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  tenon conformance http://127.0.0.1:3000/mcp
  tenon conformance http://127.0.0.1:3000/mcp --suite all --strict
  tenon conformance http://127.0.0.1:3000/mcp --scenario tools-list --json`,
    );

/** The commands for the author of a server, in the order of the help. */
export const developCommands: readonly Declare[] = [
  runs(dev, async () => (await import('../commands/dev.js')).runDev),
  runs(record, async () => (await import('../commands/record.js')).runRecord),
  runs(replay, async () => (await import('../commands/replay.js')).runReplay),
  runs(diff, async () => (await import('../commands/diff.js')).runDiff),
  runs(lint, async () => (await import('../commands/lint.js')).runLint),
  runs(compat, async () => (await import('../commands/compat.js')).runCompat),
  runs(doctor, async () => (await import('../commands/doctor.js')).runDoctor),
  runs(bench, async () => (await import('../commands/bench.js')).runBench),
  runs(conformance, async () => (await import('../commands/conformance.js')).runConformance),
];
