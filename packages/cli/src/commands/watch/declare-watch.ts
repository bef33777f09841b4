import { InvalidArgumentError } from 'commander';
import type { Declare } from '../../context.js';
import { collect, logLevel, positiveNumber } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { WatchOptions } from './watch-options.js';

const examples = `
Examples:
  tenon watch https://example.com/mcp --resource file:///report.txt
  tenon watch --log info --json -- node server.js
`;

/** `tenon watch`: prints the notifications of a server as they arrive. */
export const declareWatch: Declare = (program, context) => {
  const command = program
    .command('watch')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('print changes of lists, resources and tasks, and log messages, as they arrive')
    .option('-r, --resource <uri>', 'watch this resource too (repeatable)', collect)
    .option('--task <id>', 'watch this task too (repeatable)', collect)
    .option('--log <level>', 'print log messages of the server, from a level on', logLevel)
    .option('--poll <seconds>', 'read the lists at this interval, for servers that do not notify', seconds)
    .option('--until <events>', 'end after this number of events', count)
    .option('--for <seconds>', 'end after this time', seconds);
  withServerOptions(command)
    .addHelpText('after', examples)
    .action(async (server: string | undefined, options: WatchOptions) => {
      const { runWatch } = await import('./run-watch.js');
      await runWatch({ ...context, words: server === undefined ? [] : [server], options });
    });
};

function count(text: string): number {
  const value = positiveNumber(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

/** Reads seconds that a timer can wait. */
function seconds(text: string): number {
  const value = positiveNumber(text);
  if (value > longest) throw new InvalidArgumentError(`It must be ${longest} seconds (24 days) at most.`);
  return value;
}

const longest = 2_000_000;
