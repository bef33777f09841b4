import type { Declare } from '../../context.js';
import type { LogoutOptions } from './run-logout.js';

/** `tenon logout`: deletes and revokes stored tokens. */
export const declareLogout: Declare = (program, context) => {
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
    )
    .action(async (server: string | undefined, options: LogoutOptions) => {
      const { runLogout } = await import('./run-logout.js');
      await runLogout(server, options, context);
    });
};
