import { Argument, type Command, Option } from 'commander';
import { type Declare, runs } from '../context.js';
import {
  addHeader,
  addVariable,
  portNumber,
  positiveNumber,
  withServerOptions,
} from '../server/server-options.js';

/** `tenon servers`: lists the servers in the configuration files of MCP clients. */
const servers = (program: Command): Command =>
  program
    .command('servers')
    .description('list the servers that MCP clients are configured with')
    .option('--config <file>', 'read this file only')
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText(
      'after',
      `
Names that all commands accept, from the files of Claude, VS Code, Cursor, Codex,
Gemini CLI, Goose and the MCP Inspector. No server is started.

Examples:
  tenon servers
  tenon servers --config ./mcp.json --json`,
    );

/** `tenon install`: adds a server to the configuration of an MCP client. */
const install = (program: Command): Command =>
  program
    .command('install')
    .argument('[client]', 'the client; --list shows all')
    .argument('[server]', 'a URL, a .ts or .js file, a configured name, or -- COMMAND')
    .description('add a server to the configuration of an MCP client')
    .option('-y, --yes', 'write the file; without it the change is only shown')
    .option('--force', 'replace another server of the same name')
    .option('--name <name>', 'the name of the server in the client')
    .option('-e, --env <name=value>', 'set a variable of the command', addVariable, {})
    .option('-H, --header <header>', 'send a header to the URL', addHeader, {})
    .addOption(new Option('--transport <name>', 'the transport of a URL').choices(['http', 'sse']))
    .option('--project', 'write the file of this folder instead of yours')
    .option('--link', 'print a link that installs the server')
    .option('--list', 'list the clients and their files')
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  tenon install cursor ./server.ts --yes
  tenon install vscode https://mcp.example.com/mcp --project
  tenon install claude-code --env 'KEY=\${KEY}' -- npx -y my-server`,
    );

/** `tenon uninstall`: removes a server from the configuration of an MCP client. */
const uninstall = (program: Command): Command =>
  program
    .command('uninstall')
    .argument('<client>', 'the client; "tenon install --list" shows all')
    .argument('<name>', 'the name of the server in the client')
    .description('remove a server from the configuration of an MCP client')
    .option('-y, --yes', 'write the file; without it the change is only shown')
    .option('--project', 'change the file of this folder instead of yours')
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  tenon uninstall cursor greeter
  tenon uninstall vscode greeter --project --yes`,
    );

/** `tenon login`: signs in at a server, for all commands. */
const login = (program: Command): Command =>
  program
    .command('login')
    .argument('[server]', 'a URL, or a name from the configuration of an MCP client')
    .description('sign in at a server, for all commands')
    .option('--list', 'show the servers with stored tokens')
    .option('--scopes <names...>', 'request these scopes too')
    .option('--no-browser', 'print the URL instead of opening it')
    .option('--client-id <id>', 'use this client, which was registered by hand')
    .addOption(
      new Option('--host <host>', 'the host that the browser returns to').choices([
        '127.0.0.1',
        'localhost',
        '::1',
      ]),
    )
    .option('-p, --port <port>', 'the port that the browser returns to (default: any)', portNumber)
    .option('--consent', 'have the authorization server ask for consent again')
    .option('--timeout <seconds>', 'seconds that you may take (default: 300)', positiveNumber)
    .option('--config <file>', 'look up the name of the server in this file only')
    .option('--trust', 'accept a server from a file of this project without asking')
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText(
      'after',
      `
Tokens are stored in a file that only you can read, and are renewed when they expire.

Examples:
  tenon login https://mcp.example.com/mcp
  tenon login https://mcp.example.com/mcp --client-id my-client --host localhost --port 3334
  tenon login --list`,
    );

/** `tenon logout`: deletes and revokes stored tokens. */
const logout = (program: Command): Command =>
  program
    .command('logout')
    .argument('[server]', 'a URL, or a name from the configuration of an MCP client')
    .description('delete the stored tokens of a server, and revoke them')
    .option('--all', 'sign out of all servers')
    .option('--config <file>', 'look up the name of the server in this file only')
    .option('--trust', 'accept a server from a file of this project without asking')
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  tenon logout https://mcp.example.com/mcp
  tenon logout --all`,
    );

/** `tenon types`: writes TypeScript types of a server. */
const types = (program: Command): Command =>
  withServerOptions(
    program
      .command('types')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('write TypeScript types of the tools and prompts of a server')
      .option('-o, --output <file>', 'write to this file, such as server.d.ts, in place of stdout')
      .option('--check', 'write nothing; exit with 6 if the file is out of date')
      .option('--name <type>', 'the name of the type for connect (default: Server)')
      .option('--force', 'replace a file that tenon has not made'),
  ).addHelpText(
    'after',
    `
Then connect<Server>(...) knows the tools and prompts, with "import type { Server }" of the file.

Examples:
  tenon types https://example.com/mcp --output server.d.ts
  tenon types --output server.d.ts --check -- node server.js
`,
  );

/** `tenon card`: makes the documents that describe a server to registries and clients. */
const card = (program: Command): Command =>
  withServerOptions(
    program
      .command('card')
      .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
      .description('make the server.json, the server card or the MCPB manifest of a server')
      .addOption(
        new Option('-f, --format <format>', 'the document')
          .choices(['server.json', 'card', 'mcpb'])
          .default('server.json'),
      )
      .option('-o, --output <file>', 'write to a new file, in place of stdout')
      .option('--name <name>', 'the name in the registry, such as io.github.user/weather')
      .option('--remote <url>', 'the public URL of the server')
      .option('--package <folder>', 'the folder of package.json (default: this folder)')
      .option('--force', 'replace the file of --output'),
  ).addHelpText(
    'after',
    `
The document is made of the running server and of package.json. Nothing is uploaded.

Examples:
  tenon card --format server.json --output server.json -- node dist/main.js
  tenon card --format card https://example.com/mcp
  tenon card --format mcpb --output manifest.json -e API_KEY=x -- node dist/main.js
`,
  );

/** `tenon publish-check`: checks the files that describe a server before they are published. */
const publishCheck = (program: Command): Command =>
  withServerOptions(
    program
      .command('publish-check')
      .argument('[folder]', 'the folder of package.json (default: this folder)')
      .description('check server.json, the MCPB manifest and the server card against the package')
      .option('--no-start', 'do not start the server')
      .option('--strict', 'exit with 6 for warnings too'),
    ['header', 'config', 'trust', 'transport', 'storedAuthOnly'],
  ).addHelpText(
    'after',
    `
Reads package.json, server.json, manifest.json, server-card.json and README.md, and starts the
program of the package, or the command after --. Nothing is uploaded.

Examples:
  tenon publish-check
  tenon publish-check packages/weather -e API_KEY=x
  tenon publish-check --strict -- node dist/main.js --stdio
`,
  );

/** `tenon completion`: prints a script for a shell. */
const completion: Declare = (program, { terminal }) => {
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
      const { completionScript } = await import('../commands/completion.js');
      terminal.print(completionScript(shell, program));
    });
};

/** The commands that connect programs and people to servers, in the order of the help. */
export const connectCommands: readonly Declare[] = [
  runs(servers, async () => (await import('../commands/servers.js')).runServers),
  runs(install, async () => (await import('../commands/install.js')).runInstall),
  runs(uninstall, async () => (await import('../commands/install.js')).runUninstall),
  runs(login, async () => (await import('../commands/login.js')).runLogin),
  runs(logout, async () => (await import('../commands/login.js')).runLogout),
  runs(types, async () => (await import('../commands/generated-types.js')).runTypes),
  runs(card, async () => (await import('../commands/card.js')).runCard),
  runs(publishCheck, async () => (await import('../commands/publish-check.js')).runPublishCheck),
  completion,
];
