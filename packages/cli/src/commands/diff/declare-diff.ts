import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { collect } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { DiffOptions } from './diff-options.js';

const examples = `
A side is a recording, a catalog (tenon list --json > a.json), a URL, a name, or a command after --.

Examples:
  tenon diff released.json -- node server.js
  tenon diff https://example.com/mcp http://127.0.0.1:3000/mcp --calls session.md
  tenon diff -- node old.js -- node new.js`;

/** `tenon diff`: compares two servers or recordings. */
export const declareDiff: Declare = (program, context) => {
  const command = program
    .command('diff')
    .argument('[before]', 'the older side')
    .argument('[after]', 'the newer side')
    .description('compare tools, schemas, other lists and results; tell which changes break callers')
    .option('--calls <recording>', 'send the calls of this recording to both servers, compare the results')
    .option('--ignore <name>', 'do not compare members of results with this name (repeatable)', collect)
    .addOption(
      new Option('--fail-on <changes>', 'the changes that give exit code 6')
        .choices(['any', 'breaking', 'never'])
        .default('breaking'),
    );
  withServerOptions(command, ['record'])
    .addHelpText('after', examples)
    .action(async (before: string | undefined, after: string | undefined, options: DiffOptions) => {
      const { runDiff } = await import('./run-diff.js');
      const words = [before, after].filter((word) => word !== undefined);
      await runDiff({ ...context, words, options });
    });
};
