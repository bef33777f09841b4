import { serveStdio } from '@tenon/mcp-server/stdio';
import { help, readArguments } from './command-line.js';
import { createEverythingServer } from './everything.js';

const wanted = readArguments(process.argv.slice(2));
if (typeof wanted === 'string') {
  process.stderr.write(`everything-server: ${wanted}. See --help.\n`);
  process.exitCode = 2;
} else if ('help' in wanted) {
  process.stdout.write(help);
} else {
  const { http, ...options } = wanted;
  if (http === undefined) await serveStdio(createEverythingServer(options));
  else await (await import('./listen.js')).listen(options, http);
}
