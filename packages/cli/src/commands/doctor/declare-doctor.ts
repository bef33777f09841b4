import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { DoctorOptions } from './doctor-options.js';

const examples = `
Examples:
  tenon doctor https://example.com/mcp
  tenon doctor https://example.com/mcp --origin https://app.example.com
  tenon doctor -- npx -y my-server --stdio`;

/** `tenon doctor`: finds out why a server cannot be used. */
export const declareDoctor: Declare = (program, context) => {
  const command = program
    .command('doctor')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('find out why a server cannot be used, and how to fix it')
    .option('--sign-in', 'open the browser if the server requires sign-in')
    .option('--origin <origin>', 'check that pages of this origin can call the server (CORS)');
  withServerOptions(command, ['storedAuthOnly', 'record'])
    .addHelpText('after', examples)
    .action(async (server: string | undefined, options: DoctorOptions) => {
      const { runDoctor } = await import('./run-doctor.js');
      await runDoctor({ ...context, words: server === undefined ? [] : [server], options });
    });
};
