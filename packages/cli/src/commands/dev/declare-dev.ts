import { Option } from 'commander';
import type { Declare } from '../../context.js';
import { collect, portNumber } from '../../server/option-values.js';
import type { DevCommandOptions } from './dev-command-options.js';

const examples = `
Examples:
  tenon dev server.ts
  tenon dev server.ts --port 8080 --watch 'data/**'
  tenon dev --stdio server.ts        for the configuration of a client
  tenon dev --stdio -- python server.py`;

/** `tenon dev`: runs a server and reloads it when its files change. */
export const declareDev: Declare = (program, context) => {
  program
    .command('dev')
    .argument('[file]', 'the file of the server: TypeScript or JavaScript')
    .description('run a server, reload it on changes, keep clients connected')
    .option('--stdio', 'speak over stdin and stdout instead of HTTP')
    .option('-p, --port <port>', 'the port (default: 3000, or the next free one)', portNumber)
    .option('--watch <glob>', 'also reload when these files change (repeatable)', collect)
    .option('--env-file <file>', 'set the variables of a .env file')
    .addOption(new Option('--quiet', 'print failures and crashes only').conflicts('json'))
    .option('--json', 'print events as lines of JSON')
    .addHelpText('after', examples)
    .action(async (file: string | undefined, options: DevCommandOptions) => {
      const { runDev } = await import('./run-dev.js');
      await runDev({ ...context, file, options });
    });
};
