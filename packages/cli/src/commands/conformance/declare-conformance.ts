import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { positiveNumber } from '../../server/option-values.js';
import type { ConformanceFlags } from './conformance-flags.js';

const examples = `
Examples:
  tenon conformance http://127.0.0.1:3000/mcp
  tenon conformance http://127.0.0.1:3000/mcp --suite all --strict
  tenon conformance http://127.0.0.1:3000/mcp --scenario tools-list --json`;

/** `tenon conformance`: runs the official conformance suite. */
export const declareConformance: Declare = (program, context) => {
  program
    .command('conformance')
    .argument('[server]', 'a URL, or a configured name')
    .description('run the official conformance suite against a server over HTTP')
    .addOption(
      new Option('--suite <name>', 'scenarios to run (default: active)').choices([
        'active',
        'all',
        'draft',
        'pending',
      ]),
    )
    .option('--scenario <name>', 'run one scenario')
    .option('--requirements <revision>', 'run what a revision requires')
    .option('--revision <revision>', 'run scenarios of one revision only')
    .option('--expected-failures <file>', "a YAML file of the suite's format")
    .option('--strict', "count scenarios that need tools of the suite's own server")
    .option('--output <folder>', 'keep the files of the suite')
    .option('--node <file>', 'the Node that runs the suite (22 or newer)')
    .option('--suite-version <version>', 'the version to download')
    .option('--no-download', 'fail if the suite or a Node would be downloaded')
    .option('--config <file>', 'look up the name of the server in this file only')
    .option('--timeout <seconds>', 'seconds for one scenario', positiveNumber)
    .option('--json', 'print JSON, and errors as one line of JSON')
    .addHelpText('after', examples)
    .action(async (server: string | undefined, options: ConformanceFlags) => {
      const { runConformance } = await import('./run-conformance.js');
      await runConformance({ ...context, words: server === undefined ? [] : [server], options });
    });
};
