import type { Declare } from '../../context.js';
import { type ServerOptions, withServerOptions } from '../../server/server-options.js';

/** `tenon complete`: prints values for an argument. */
export const declareComplete: Declare = (program, context) => {
  withServerOptions(
    program
      .command('complete')
      .argument('[words...]')
      .usage('[SERVER] PROMPT|TEMPLATE [name=value...] name=BEGINNING [options] [-- COMMAND ARGS...]')
      .description('print values for an argument of a prompt or template'),
  )
    .addHelpText(
      'after',
      `
The last argument is completed; the others are its context.

Examples:
  tenon complete https://example.com/mcp review language=p
  tenon complete 'repo://{owner}/{name}' owner=ada name= -- node server.js`,
    )
    .action(async (words: readonly string[], options: ServerOptions) => {
      const { runComplete } = await import('./run-complete.js');
      await runComplete({ ...context, words, options });
    });
};
