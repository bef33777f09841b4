import { logLevels } from '@tenon/mcp-protocol';
import { InvalidArgumentError, Option } from 'commander';
import type { Declare } from '../../context.js';
import { positiveNumber, withServerOptions } from '../../server/server-options.js';
import type { WatchOptions } from './watch-options.js';

/** The most resources, and tasks, of one run. */
const most = 1_000;

const examples = `
  tenon watch https://example.com/mcp --resource file:///report.txt
  tenon watch --log info --json -- node server.js
`;

/** `tenon watch`: prints the notifications of a server as they arrive. */
export const declareWatch: Declare = (program, context) => {
  const command = program
    .command('watch')
    .argument('[server]', 'a URL, or a name from the configuration of an MCP client')
    .description('print changes of lists, resources and tasks, and log messages, as they arrive')
    .option('-r, --resource <uri>', 'watch this resource too; repeat it for more', repeated)
    .option('--task <id>', 'watch this task too; repeat it for more', repeated)
    .addOption(new Option('--log <level>', 'print log messages from this level on').choices(logLevels))
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

function repeated(value: string, values: readonly string[] = []): readonly string[] {
  if (values.length >= most) throw new InvalidArgumentError(`It can be repeated ${most} times at most.`);
  return [...values, value];
}

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
