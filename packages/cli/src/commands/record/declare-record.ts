import type { Declare } from '../../context.js';
import { portNumber } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { RecordOptions } from './record-options.js';

const examples = `
Examples:
  tenon record session.md -- node server.js
      speaks stdio in place of the server: start this from the configuration of a client
  tenon record session.md https://example.com/mcp --port 8000
      listens at http://127.0.0.1:8000/mcp; point the client there`;

/** `tenon record`: a proxy that records a session. */
export const declareRecord: Declare = (program, context) => {
  const command = program
    .command('record')
    .argument('<file>', 'the recording to write: Markdown')
    .argument('[server]', 'a URL, a .ts or .js file, or a configured name')
    .description('record the messages between a client and a server, as a proxy between them')
    .option('-p, --port <port>', 'listen at this port, for a URL (default: any free port)', portNumber)
    .option('--append', 'add to an existing recording')
    .option('--force', 'replace an existing file')
    .option('--no-redact', 'write secrets too')
    .option('-v, --verbose', 'print each message on stderr');
  withServerOptions(command, ['revision', 'transport', 'timeout', 'storedAuthOnly', 'record'])
    .addHelpText('after', examples)
    .action(async (file: string, server: string | undefined, options: RecordOptions) => {
      const { runRecord } = await import('./run-record.js');
      await runRecord(file, { ...context, words: server === undefined ? [] : [server], options });
    });
};
