import type { Declare } from '../../context.js';
import { collect, portNumber } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { ReplayOptions } from './replay-options.js';

const examples = `
Examples:
  tenon replay session.md --to https://example.com/mcp   the recorded client against a server
  tenon replay session.md --ignore updatedAt -- node server.js
  tenon replay session.md --http 8000                    the recorded server for a client`;

/** `tenon replay`: plays one end of a recording. */
export const declareReplay: Declare = (program, context) => {
  const command = program
    .command('replay')
    .argument('<file>', 'a recording')
    .description('play the server of a recording, or with a server its client, and report differences')
    .option('--to <server>', 'play the client to this server: a URL or a name; or write a command after --')
    .option('--stdio', 'play the server on stdin and stdout; the default if stdin is no terminal')
    .option(
      '--http [port]',
      'play the server at http://127.0.0.1:PORT/mcp; the default on a terminal',
      portNumber,
    )
    .option('--ignore <name>', 'do not compare members with this name (repeatable)', collect)
    .option('--update', 'write the new messages of the server into the recording');
  withServerOptions(command, ['revision', 'record'])
    .addHelpText('after', examples)
    .action(async (file: string, options: ReplayOptions) => {
      const { runReplay } = await import('./run-replay.js');
      await runReplay(file, { ...context, options });
    });
};
