import type { Declare } from '../../context.js';
import { logLevel } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { CallCommandOptions } from './run-call.js';

/** `tenon call`: calls a tool. */
export const declareCall: Declare = (program, context) => {
  withServerOptions(
    program
      .command('call')
      .argument('[words...]')
      .usage('[SERVER] TOOL [name=value...] [options] [-- COMMAND ARGS...]')
      .description('call a tool')
      .option('--args <json>', 'arguments as JSON, @file, or - for stdin')
      .option('--answers <file>', 'answers to input requests, as JSON')
      .option('-o, --output <file>', 'write the text, or the only image or file, to a new file')
      .option('--save-images <folder>', 'save images, audio and other files in a folder')
      .option('--force', 'replace the file of --output')
      .option('--dry-run', 'check the arguments and print the request; do not call')
      .option('--no-check', 'send arguments that the input schema does not allow')
      .option('--confirm', 'ask before a tool that is not read-only')
      .option('--task', 'run the call as a task')
      .option('--progress', 'print each step of progress as a line')
      .option('--log <level>', 'print log messages of the server, from a level on', logLevel)
      .option('--key <text>', 'idempotency key: the same key runs the call once'),
  )
    .addHelpText(
      'after',
      `
Examples:
  tenon call https://example.com/mcp search query=tea limit=3
  tenon call 'my-server.search(query: "tea", tags: ["green"])'
  tenon call resize image=@logo.png size.width=64 -- node server.js`,
    )
    .action(async (words: readonly string[], options: CallCommandOptions) => {
      const { runCall } = await import('./run-call.js');
      await runCall({ ...context, words, options });
    });
};
