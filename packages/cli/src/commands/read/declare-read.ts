import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { ReadOptions } from './run-read.js';

/** `tenon read`: reads a resource. */
export const declareRead: Declare = (program, context) => {
  withServerOptions(
    program
      .command('read')
      .argument('[words...]')
      .usage('[SERVER] URI [options] [-- COMMAND ARGS...]')
      .description('read a resource')
      .option('-o, --output <file>', 'write the resource to a new file')
      .option('--force', 'replace the file of --output')
      .option('--answers <file>', 'answers to input requests, as JSON'),
  )
    .addHelpText(
      'after',
      `
Examples:
  tenon read https://example.com/mcp docs://readme
  tenon read file:///logo.png --output logo.png -- node server.js`,
    )
    .action(async (words: readonly string[], options: ReadOptions) => {
      const { runRead } = await import('./run-read.js');
      await runRead({ ...context, words, options });
    });
};
