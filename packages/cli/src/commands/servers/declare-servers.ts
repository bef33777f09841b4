import type { Declare } from '../../context.js';
import type { ServersOptions } from './run-servers.js';

/** `tenon servers`: lists the servers in the configuration files of MCP clients. */
export const declareServers: Declare = (program, context) => {
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
    )
    .action(async (options: ServersOptions) => {
      const { runServers } = await import('./run-servers.js');
      await runServers(options, context);
    });
};
