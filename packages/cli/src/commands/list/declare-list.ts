import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { ListOptions } from './run-list.js';

/** `tenon list`: prints what a server offers. */
export const declareList: Declare = (program, context) => {
  withServerOptions(
    program
      .command('list')
      .argument('[words...]')
      .usage('[SERVER] [NAME] [options] [-- COMMAND ARGS...]')
      .description('list tools as TypeScript, resources and prompts')
      .option('--tools', 'list tools only')
      .option('--resources', 'list resources and templates only')
      .option('--prompts', 'list prompts only')
      .option('--all', 'print all parameters and whole descriptions')
      .option('--schema', 'print the JSON Schemas of tools'),
  )
    .addHelpText(
      'after',
      `
Examples:
  tenon list https://example.com/mcp
  tenon list src/server.ts
  tenon list my-server search --schema
  tenon list --tools --all -- node server.js`,
    )
    .action(async (words: readonly string[], options: ListOptions) => {
      const { runList } = await import('./run-list.js');
      await runList({ ...context, words, options });
    });
};
