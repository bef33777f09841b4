import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { addHeader, addVariable } from '../../server/option-values.js';
import type { InstallOptions } from './run-install.js';

/** `tenon install`: adds a server to the configuration of an MCP client. */
export const declareInstall: Declare = (program, context) => {
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
    )
    .action(async (client: string | undefined, server: string | undefined, options: InstallOptions) => {
      const { runInstall } = await import('./run-install.js');
      await runInstall({ client, server }, options, context);
    });
};
