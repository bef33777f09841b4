import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { TypesLine } from './types-line.js';

const examples = `
Then connect<Server>(...) knows the tools and prompts, with "import type { Server }" of the file.

Examples:
  tenon types https://example.com/mcp --output server.d.ts
  tenon types --output server.d.ts --check -- node server.js
`;

/** `tenon types`: writes TypeScript types of a server. */
export const declareTypes: Declare = (program, context) => {
  const command = program
    .command('types')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('write TypeScript types of the tools and prompts of a server')
    .option('-o, --output <file>', 'write to this file, such as server.d.ts, in place of stdout')
    .option('--check', 'write nothing; exit with 6 if the file is out of date')
    .option('--name <type>', 'the name of the type for connect (default: Server)')
    .option('--force', 'replace a file that tenon has not made');
  withServerOptions(command)
    .addHelpText('after', examples)
    .action(async (server: string | undefined, options: TypesLine['options']) => {
      const { runTypes } = await import('./run-types.js');
      await runTypes({ ...context, words: server === undefined ? [] : [server], options });
    });
};
