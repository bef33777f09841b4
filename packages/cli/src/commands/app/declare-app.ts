import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { AppOptions } from './run-app.js';

/** `tenon app`: prints the MCP App of a tool. */
export const declareApp: Declare = (program, context) => {
  withServerOptions(
    program
      .command('app')
      .argument('[words...]', 'the server, and a tool')
      .usage('[SERVER] [TOOL] [options] [-- COMMAND ARGS...]')
      .description('print the MCP App of a tool')
      .option('-o, --output <file>', 'write the HTML document of the app to a new file'),
  )
    .addHelpText(
      'after',
      `
Without TOOL, lists the tools that have an app. Exits with 2 if there is none.

Examples:
  tenon app https://example.com/mcp
  tenon app show_chart --output chart.html -- node server.js`,
    )
    .action(async (words: readonly string[], options: AppOptions) => {
      const { runApp } = await import('./run-app.js');
      await runApp({ ...context, words, options });
    });
};
