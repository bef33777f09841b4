import { createServer, type ServerOptions } from '@tenon/mcp-server';
import { tasks } from '@tenon/mcp-tasks/server';
import { addExchangeTools } from './exchange-tools.js';
import type { NoteFolder } from './note-folder.js';
import { addPrompts } from './note-prompts.js';
import { addResources, type Imports } from './note-resources.js';
import { forging, noteSkills } from './note-skills.js';
import { addReadingTools } from './reading-tools.js';
import { noteApps } from './results-app.js';
import { timing } from './timing.js';
import { addWritingTools } from './writing-tools.js';

/** The server's type, for typed clients. */
export type NotesServer = ReturnType<typeof createNotesServer>;

/** A server for the notes of one folder. */
export function createNotesServer(
  notes: NoteFolder,
  options: Pick<ServerOptions, 'revisions' | 'onError'> = {},
) {
  const imports: Imports = { running: 0, finished: 0, stopped: 0 };
  const server = createServer(
    { name: 'notes', title: 'Notes', version: '1.0.0' },
    {
      ...options,
      instructions: 'Search before you create. Notes are Markdown; resources hold them.',
      // Small, so that a few notes fill two pages.
      limits: { pageSize: 5 },
      extensions: [noteSkills(), noteApps, tasks({ pollInterval: 200 })],
    },
  );
  server.use(timing);
  server.use(forging);
  addResources(server, notes, imports);
  const reading = addReadingTools(server, notes);
  const writing = addWritingTools(reading, notes);
  return addPrompts(addExchangeTools(writing, notes, imports), notes);
}
