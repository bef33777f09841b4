import { parseArgs } from 'node:util';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { createEverythingServer } from './everything.js';

const help = `everything-server: one of everything the Model Context Protocol has, to test clients against.

Usage: node apps/everything-server/dist/main.js --stdio [--page-size <n>]

  --stdio            speak over standard input and output
  --page-size <n>    entries on one page of a list; 100 by default
  --help             show this text
`;

/** What the command line asks for, or what is wrong with it. */
function readArguments(): { readonly help: boolean; readonly pageSize: number | undefined } | string {
  try {
    const { values } = parseArgs({
      options: { stdio: { type: 'boolean' }, 'page-size': { type: 'string' }, help: { type: 'boolean' } },
    });
    if (values.help === true) return { help: true, pageSize: undefined };
    if (values.stdio !== true) return 'Say how to be reached: --stdio';
    const pageSize = values['page-size'];
    if (pageSize === undefined) return { help: false, pageSize };
    return /^[1-9]\d*$/.test(pageSize)
      ? { help: false, pageSize: Number(pageSize) }
      : `--page-size must be a positive whole number, not '${pageSize}'`;
  } catch (error) {
    return (error as Error).message.split('. ', 1)[0] ?? 'The arguments cannot be read';
  }
}

const wanted = readArguments();
if (typeof wanted === 'string') {
  process.stderr.write(`everything-server: ${wanted}. See --help.\n`);
  process.exitCode = 2;
} else if (wanted.help) {
  process.stdout.write(help);
} else {
  await serveStdio(
    createEverythingServer(wanted.pageSize === undefined ? {} : { pageSize: wanted.pageSize }),
  );
}
