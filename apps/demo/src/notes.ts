import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    return error instanceof Error ? error.message : String(error);
  }
}

async function serve(folder: string | undefined, revisions: readonly string[] | undefined): Promise<void> {
  const temporary = folder === undefined ? await mkdtemp(join(tmpdir(), 'notes-')) : undefined;
  const notes = temporary === undefined ? new NoteFolder(folder ?? '') : await seedNotes(temporary);
  const server = createNotesServer(notes, revisions && { revisions });
  const watch = await announceChanges(server, notes);
  const serving = await serveStdio(server);
  await serving.closed;
  watch.close();
  if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
}

const wanted = readCommandLine();
if (typeof wanted === 'string') {
  process.stderr.write(`notes: ${wanted}. See --help.\n`);
  process.exitCode = 2;
} else if (wanted.help) {
  process.stdout.write(help);
} else {
  await serve(wanted.folder, wanted.revision);
}
