import type { Declare } from '../../context.js';
import { type ServerOptions, withServerOptions } from '../../server/server-options.js';

/** `tenon list`: prints all that a server offers. */
export const declareList: Declare = (program, context) => {
  withServerOptions(
    program
      .command('list')
      .argument('[server]', 'a URL, or a name from the configuration of an MCP client')
      .description('list tools, resources and prompts'),
  ).action(async (server: string | undefined, options: ServerOptions) => {
    const { runList } = await import('./run-list.js');
    await runList({ ...context, words: server === undefined ? [] : [server], options });
  });
};
