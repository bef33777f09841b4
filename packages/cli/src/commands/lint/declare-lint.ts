import { InvalidArgumentError, Option } from 'commander';
import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { LintCommandOptions } from './lint-options.js';

const examples = `
Examples:
  tenon lint https://example.com/mcp
  tenon lint --fail-on warning --rule title-missing=warning -- node server.js
  tenon lint --format sarif --source src/server.ts -- node server.js > lint.sarif
`;

/** `tenon lint`: checks the definitions of a server. */
export const declareLint: Declare = (program, context) => {
  const command = program
    .command('lint')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('check names, descriptions, schemas, annotations and token cost')
    .option('--rule <id=severity>', 'off, info, warning or error for a rule', addPair)
    .option('--limit <name=number>', 'another limit, such as tokens=10000', addPair)
    .addOption(
      new Option('--fail-on <severity>', 'exit with 6 from this severity on (default: error)').choices([
        'error',
        'warning',
        'never',
      ]),
    )
    .addOption(
      new Option('--format <name>', 'the output')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--notes', 'print findings of severity info too')
    .option('--costs', 'print the tokens of each tool')
    .option('--call', 'call tools with readOnlyHint, and check their results')
    .option('--calls <file>', 'arguments for --call: {"tool": {"argument": "value"}}')
    .option('--source <file>', 'the file that defines the server, for places in it')
    .option('--rules', 'list all rules')
    .addHelpText('after', examples);
  withServerOptions(command).action(async (server: string | undefined, options: LintCommandOptions) => {
    const { runLint } = await import('./run-lint.js');
    await runLint({ ...context, words: server === undefined ? [] : [server], options });
  });
};

function addPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It is written name=value, such as title-missing=off.');
  return { ...pairs, [name]: value };
}
