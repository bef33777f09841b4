import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import { type CardLine, documentFiles } from './card-line.js';

const examples = `
The document is made of the running server and of package.json. Nothing is uploaded.

Examples:
  tenon card --format server.json --output server.json -- node dist/main.js
  tenon card --format card https://example.com/mcp
  tenon card --format mcpb --output manifest.json -e API_KEY=x -- node dist/main.js
`;

/** `tenon card`: makes the documents that describe a server to registries and clients. */
export const declareCard: Declare = (program, context) => {
  const command = program
    .command('card')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('make the server.json, the server card or the MCPB manifest of a server')
    .addOption(
      new Option('-f, --format <format>', 'the document')
        .choices(Object.keys(documentFiles))
        .default('server.json'),
    )
    .option('-o, --output <file>', 'write to a new file, in place of stdout')
    .option('--name <name>', 'the name in the registry, such as io.github.user/weather')
    .option('--remote <url>', 'the public URL of the server')
    .option('--package <folder>', 'the folder of package.json (default: this folder)')
    .option('--force', 'replace the file of --output');
  withServerOptions(command)
    .addHelpText('after', examples)
    .action(async (server: string | undefined, options: CardLine['options']) => {
      const { runCard } = await import('./run-card.js');
      await runCard({ ...context, words: server === undefined ? [] : [server], options });
    });
};
