import type { AuditOutcome } from '@tenon/mcp-host';
import type { ChainEnd } from '@tenon/mcp-host/node';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../context.js';
import { addHeader, addVariable, portNumber, positiveNumber, wholeNumber } from '../server/server-options.js';
import { type CommandRow, server } from './declare.js';

const outcomes: readonly AuditOutcome[] = ['done', 'failed', 'refused', 'cancelled', 'unknown', 'running'];

/** The commands that connect programs and people to servers, in the order of the help. */
export const connectCommands: readonly CommandRow[] = [
  {
    name: 'servers',
    about: 'list the servers that MCP clients are configured with',
    options: [
      ['--config <file>', 'read this file only'],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Names that all commands accept, from the files of Claude, VS Code, Cursor, Codex,
Gemini CLI, Goose and the MCP Inspector. No server is started.

Examples:
  tenon servers
  tenon servers --config ./mcp.json --json`,
    run: async () => (await import('../commands/connect/servers.js')).runServers,
  },
  {
    name: 'install',
    words: [
      ['[client]', 'the client; --list shows all'],
      ['[server]', 'a URL, a .ts or .js file, a configured name, or -- COMMAND'],
    ],
    about: 'add a server to the configuration of an MCP client',
    options: [
      ['-y, --yes', 'write the file; without it the change is only shown'],
      ['--force', 'replace another server of the same name'],
      ['--name <name>', 'the name of the server in the client'],
      ['-e, --env <name=value>', 'set a variable of the command', addVariable, {}],
      ['-H, --header <header>', 'send a header to the URL', addHeader, {}],
      ['--transport <name>', 'the transport of a URL', ['http', 'sse']],
      ['--project', 'write the file of this folder instead of yours'],
      ['--link', 'print a link that installs the server'],
      ['--list', 'list the clients and their files'],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Examples:
  tenon install cursor ./server.ts --yes
  tenon install vscode https://mcp.example.com/mcp --project
  tenon install claude-code --env 'KEY=\${KEY}' -- npx -y my-server`,
    run: async () => (await import('../commands/connect/install.js')).runInstall,
  },
  {
    name: 'uninstall',
    words: [
      ['<client>', 'the client; "tenon install --list" shows all'],
      ['<name>', 'the name of the server in the client'],
    ],
    about: 'remove a server from the configuration of an MCP client',
    options: [
      ['-y, --yes', 'write the file; without it the change is only shown'],
      ['--project', 'change the file of this folder instead of yours'],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Examples:
  tenon uninstall cursor greeter
  tenon uninstall vscode greeter --project --yes`,
    run: async () => (await import('../commands/connect/install.js')).runUninstall,
  },
  {
    name: 'login',
    words: [['[server]', 'a URL, or a name from the configuration of an MCP client']],
    about: 'sign in at a server, for all commands',
    options: [
      ['--list', 'show the servers with stored tokens'],
      ['--scopes <names...>', 'request these scopes too'],
      ['--no-browser', 'print the URL instead of opening it'],
      new Option('--device', 'sign in with a code on another device, such as a phone').conflicts([
        'host',
        'port',
        'consent',
      ]),
      ['--client-id <id>', 'use this client, which was registered by hand'],
      ['--host <host>', 'the host that the browser returns to', ['127.0.0.1', 'localhost', '::1']],
      ['-p, --port <port>', 'the port that the browser returns to (default: any)', portNumber],
      ['--consent', 'have the authorization server ask for consent again'],
      [
        '--timeout <seconds>',
        'seconds that you may take (default: 300; with --device until the code expires)',
        positiveNumber,
      ],
      ['--config <file>', 'look up the name of the server in this file only'],
      ['--trust', 'accept a server from a file of this project without asking'],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Tokens are stored in a file that only you can read, and are renewed when they expire.
On a machine without a browser use --device: all other commands then have the tokens.

Examples:
  tenon login https://mcp.example.com/mcp
  tenon login https://mcp.example.com/mcp --device
  tenon login https://mcp.example.com/mcp --client-id my-client --host localhost --port 3334
  tenon login --list`,
    run: async () => (await import('../commands/connect/login.js')).runLogin,
  },
  {
    name: 'logout',
    words: [['[server]', 'a URL, or a name from the configuration of an MCP client']],
    about: 'delete the stored tokens of a server, and revoke them',
    options: [
      ['--all', 'sign out of all servers'],
      ['--config <file>', 'look up the name of the server in this file only'],
      ['--trust', 'accept a server from a file of this project without asking'],
      ['--json', 'print JSON, and errors as one line of JSON'],
    ],
    help: `
Examples:
  tenon logout https://mcp.example.com/mcp
  tenon logout --all`,
    run: async () => (await import('../commands/connect/login.js')).runLogout,
  },
  {
    name: 'audit',
    about: 'check and show the audit log of a host',
    help: `
The log is the file of auditFile() in @tenon/mcp-host, with the files that were closed before it.

Examples:
  tenon audit verify audit.jsonl
  tenon audit show audit.jsonl --server notes --outcome failed --last 20`,
    commands: [
      {
        name: 'verify',
        words: [['<file>', 'the file that the host writes']],
        about: 'check that no line was changed, removed, added or moved',
        options: [
          ['--key-file <file>', 'check the authentication codes with the key in this file, as bytes'],
          ['--anchor <line>', 'the last line of an earlier run, which must still be there', anchorOf],
          ['--pruned', 'the oldest files may be missing, because the host deletes them'],
          ['--json', 'print JSON, and errors as one line of JSON'],
        ],
        help: `
Exits with 1 if the log is broken, and names the first line that does not fit.
Without a key, people who can write the files can replace them; and lines that are cut off
at the end show only with --anchor.

Examples:
  tenon audit verify audit.jsonl
  tenon audit verify audit.jsonl --key-file audit.key --anchor 812:9f86d081...`,
        run: async () => (await import('../commands/connect/audit.js')).runAuditVerify,
      },
      {
        name: 'show',
        words: [['<file>', 'the file that the host writes']],
        about: 'print the requests of the log, each with its outcome',
        options: [
          ['--server <name>', 'requests to this server only'],
          ['--user <name>', 'requests of this user only'],
          ['--outcome <outcome>', 'requests that ended like this; running: that have no outcome', outcomes],
          ['--last <count>', 'the requests to print, at most', wholeNumber, 100],
          ['--json', 'print JSON, and errors as one line of JSON'],
        ],
        help: `
Secrets are masked when the log is written. --json has the input of each request.

Examples:
  tenon audit show audit.jsonl --outcome running
  tenon audit show audit.jsonl --user ada --json`,
        run: async () => (await import('../commands/connect/audit.js')).runAuditShow,
      },
    ],
  },
  {
    name: 'types',
    words: [server],
    about: 'write TypeScript types of the tools and prompts of a server',
    options: [
      ['-o, --output <file>', 'write to this file, such as server.d.ts, in place of stdout'],
      ['--check', 'write nothing; exit with 6 if the file is out of date'],
      ['--name <type>', 'the name of the type for connect (default: Server)'],
      ['--force', 'replace a file that tenon has not made'],
    ],
    server: {},
    help: `
Then connect<Server>(...) knows the tools and prompts, with "import type { Server }" of the file.

Examples:
  tenon types https://example.com/mcp --output server.d.ts
  tenon types --output server.d.ts --check -- node server.js
`,
    run: async () => (await import('../commands/connect/generated-types.js')).runTypes,
  },
  {
    name: 'card',
    words: [server],
    about: 'make the server.json, the server card or the MCPB manifest of a server',
    options: [
      ['-f, --format <format>', 'the document', ['server.json', 'card', 'mcpb'], 'server.json'],
      ['-o, --output <file>', 'write to a new file, in place of stdout'],
      ['--name <name>', 'the name in the registry, such as io.github.user/weather'],
      ['--remote <url>', 'the public URL of the server'],
      ['--package <folder>', 'the folder of package.json (default: this folder)'],
      ['--force', 'replace the file of --output'],
    ],
    server: {},
    help: `
The document is made of the running server and of package.json. Nothing is uploaded.

Examples:
  tenon card --format server.json --output server.json -- node dist/main.js
  tenon card --format card https://example.com/mcp
  tenon card --format mcpb --output manifest.json -e API_KEY=x -- node dist/main.js
`,
    run: async () => (await import('../commands/connect/card.js')).runCard,
  },
  {
    name: 'publish-check',
    words: [['[folder]', 'the folder of package.json (default: this folder)']],
    about: 'check server.json, the MCPB manifest and the server card against the package',
    options: [
      ['--no-start', 'do not start the server'],
      ['--strict', 'exit with 6 for warnings too'],
    ],
    server: { without: ['header', 'config', 'trust', 'transport', 'storedAuthOnly'] },
    help: `
Reads package.json, server.json, manifest.json, server-card.json and README.md, and starts the
program of the package, or the command after --. Nothing is uploaded.

Examples:
  tenon publish-check
  tenon publish-check packages/weather -e API_KEY=x
  tenon publish-check --strict -- node dist/main.js --stdio
`,
    run: async () => (await import('../commands/connect/publish-check.js')).runPublishCheck,
  },
];

/** Adds `tenon completion`: its script has the other commands of the program. */
export function declareCompletion(program: Command, { terminal }: CommandContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .description('print a completion script for a shell')
    .addHelpText(
      'after',
      `
The script completes commands, options, and the names that "tenon servers" lists.

Examples:
  tenon completion bash >> ~/.bashrc
  tenon completion zsh > "\${fpath[1]}/_tenon"
  tenon completion fish > ~/.config/fish/completions/tenon.fish`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../commands/connect/completion.js');
      terminal.print(completionScript(shell, program));
    });
}

/** Reads the last line of a report of `tenon audit verify`. */
function anchorOf(text: string): ChainEnd {
  const [, seq, sha256] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || sha256 === undefined)
    throw new InvalidArgumentError('It is written NUMBER:SHA256, as "tenon audit verify" prints it.');
  return { seq: Number(seq), sha256 };
}
