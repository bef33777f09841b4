import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { portNumber, positiveNumber } from '../../server/option-values.js';
import type { LoginOptions } from './run-login.js';

/** `tenon login`: signs in at a server, for all commands. */
export const declareLogin: Declare = (program, context) => {
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
    )
    .action(async (server: string | undefined, options: LoginOptions) => {
      const { runLogin } = await import('./run-login.js');
      await runLogin(server, options, context);
    });
};
