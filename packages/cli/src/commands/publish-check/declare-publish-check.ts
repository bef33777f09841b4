import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { PublishCheckLine } from './publish-check-line.js';

const examples = `
Reads package.json, server.json, manifest.json, server-card.json and README.md, and starts the
program of the package, or the command after --. Nothing is uploaded.

Examples:
  tenon publish-check
  tenon publish-check packages/weather -e API_KEY=x
  tenon publish-check --strict -- node dist/main.js --stdio
`;

/** `tenon publish-check`: checks the files that describe a server before they are published. */
export const declarePublishCheck: Declare = (program, context) => {
  const command = program
    .command('publish-check')
    .argument('[folder]', 'the folder of package.json (default: this folder)')
    .description('check server.json, the MCPB manifest and the server card against the package')
    .option('--no-start', 'do not start the server')
    .option('--strict', 'exit with 6 for warnings too');
  withServerOptions(command, ['header', 'config', 'trust', 'transport', 'storedAuthOnly'])
    .addHelpText('after', examples)
    .action(async (folder: string | undefined, options: PublishCheckLine['options']) => {
      const { runPublishCheck } = await import('./run-publish-check.js');
      await runPublishCheck({ ...context, words: folder === undefined ? [] : [folder], options });
    });
};
