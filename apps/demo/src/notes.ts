import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveStdio } from '@tenon/mcp-server/stdio';
import { NoteFolder } from './notes/note-folder.js';
import { announceChanges } from './notes/note-resources.js';
import { createNotesServer } from './notes/notes-server.js';
import { seedNotes } from './notes/seed-notes.js';

const help = `An MCP server for notes: Markdown files in a folder. It speaks over stdin and stdout.

Usage: node apps/demo/dist/notes.js [folder] [--revision <date>]...

  folder              where the notes are; without it, a temporary folder with a few notes, removed at the end
  --revision <date>   a revision of the protocol to speak; all by default
  --help              show this text
`;

/** What the command line says, or what is wrong with it. */
function readCommandLine() {
  try {
    const options = { revision: { type: 'string', multiple: true }, help: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) return 'Give one folder';
    return { ...values, folder: positionals[0] };
  } catch (error) {
    return reasonOf(error);
  }
}

/** What went wrong, as part of a sentence. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.( To specify .*)?$/s, '');
}

/** Serves until the client is gone. */
async function serve(folder: string | undefined, revisions: readonly string[] | undefined): Promise<void> {
  const temporary = folder === undefined ? await mkdtemp(join(tmpdir(), 'notes-')) : undefined;
  try {
    const notes =
      temporary === undefined ? new NoteFolder(resolve(folder ?? '')) : await seedNotes(temporary);
    // A folder that cannot be read is told now, not with the first call.
    await notes.names();
    const server = createNotesServer(notes, revisions && { revisions });
    const watch = await announceChanges(server, notes);
    const serving = await serveStdio(server);
    await serving.closed;
    watch.close();
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

function fail(why: string): void {
  process.stderr.write(`notes: ${why}. See --help.\n`);
  process.exitCode = 2;
}

const wanted = readCommandLine();
if (typeof wanted === 'string') {
  fail(wanted);
} else if (wanted.help) {
  process.stdout.write(help);
} else {
  await serve(wanted.folder, wanted.revision).catch((error: unknown) => fail(reasonOf(error)));
}
