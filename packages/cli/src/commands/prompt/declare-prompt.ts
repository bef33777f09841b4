import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { PromptOptions } from './run-prompt.js';

/** `tenon prompt`: gets a prompt. */
export const declarePrompt: Declare = (program, context) => {
  withServerOptions(
    program
      .command('prompt')
      .argument('[words...]')
      .usage('[SERVER] PROMPT [name=value...] [options] [-- COMMAND ARGS...]')
      .description('get a prompt, and print its messages')
      .option('--save-images <folder>', 'save images, audio and other files in a folder')
      .option('--answers <file>', 'answers to input requests, as JSON'),
  )
    .addHelpText(
      'after',
      `
Examples:
  tenon prompt https://example.com/mcp review language=go
  tenon prompt greet name=Ada -- node server.js`,
    )
    .action(async (words: readonly string[], options: PromptOptions) => {
      const { runPrompt } = await import('./run-prompt.js');
      await runPrompt({ ...context, words, options });
    });
};
