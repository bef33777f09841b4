import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { collect } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { CompatCommandOptions } from './compat-options.js';

const examples = `
Examples:
  tenon compat https://example.com/mcp
  tenon compat --client cursor --client vscode -- node server.js
  tenon compat --clients
`;

/** `tenon compat`: tries a server in all revisions, and compares it with known clients. */
export const declareCompat: Declare = (program, context) => {
  const command = program
    .command('compat')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('try all revisions and transports, and compare with known clients')
    .option('--client <id>', 'compare with this client only (repeatable)', collect)
    .option('--name <name>', 'the name under which clients list the server')
    .option('--sse <url>', 'the URL of HTTP+SSE, if it differs')
    .option('--call', 'call tools with readOnlyHint, to measure their results')
    .addOption(
      new Option('--fail-on <severity>', 'exit with 6 from this severity on')
        .choices(['error', 'warning', 'never'])
        .default('error'),
    )
    .option('--notes', 'print notes too')
    .option('--sources', 'print where the limits of clients are from')
    .option('--clients', 'list the known clients and their limits')
    .addHelpText('after', examples);
  withServerOptions(command, ['revision', 'record']).action(
    async (server: string | undefined, options: CompatCommandOptions) => {
      const { runCompat } = await import('./run-compat.js');
      await runCompat({ ...context, words: server === undefined ? [] : [server], options });
    },
  );
};
