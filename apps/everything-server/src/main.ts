import { serveStdio } from '@tenon/mcp-server/stdio';
import { help, readArguments } from './command-line.js';
import { createEverythingServer } from './everything.js';
import { listen } from './listen.js';

const wanted = readArguments(process.argv.slice(2));
if (typeof wanted === 'string') {
  process.stderr.write(`everything-server: ${wanted}. See --help.\n`);
  process.exitCode = 2;
} else if ('help' in wanted) {
  process.stdout.write(help);
} else {
  const server = createEverythingServer(wanted.limits);
  if (wanted.http === undefined) await serveStdio(server);
  else await listen(server, wanted.http);
}
