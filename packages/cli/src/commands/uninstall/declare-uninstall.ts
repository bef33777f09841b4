import type { Declare } from '../../context.js';
import type { UninstallOptions } from './run-uninstall.js';

/** `tenon uninstall`: removes a server from the configuration of an MCP client. */
export const declareUninstall: Declare = (program, context) => {
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
    )
    .action(async (client: string, name: string, options: UninstallOptions) => {
      const { runUninstall } = await import('./run-uninstall.js');
      await runUninstall({ client, name }, options, context);
    });
};
