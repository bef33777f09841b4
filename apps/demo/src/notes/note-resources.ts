import type { EmptyContract, Server } from '@tenon/mcp-server';
import { FolderWatch } from './folder-watch.js';
import type { NoteFolder } from './note-folder.js';

/** The state of imports since the server started. */
export interface Imports {
  running: number;
  finished: number;
  stopped: number;
}

const indexUri = 'notes:///index';

/** The URI of a note. */
export function uriOf(name: string): string {
  return `notes://${name}`;
}

/** The notes, a list of them, and the status of the server. */
export function addResources<C extends EmptyContract>(
  server: Server<C>,
  notes: NoteFolder,
  imports: Imports,
): void {
  const markdown = { mimeType: 'text/markdown' };

  server.resource(
    indexUri,
    { name: 'index', title: 'All notes', description: 'A list of all notes', ...markdown },
    async () => (await notes.names()).map((name) => `- [${name}](${uriOf(name)})\n`).join(''),
  );

  server.resource(
    'notes:///status',
    { name: 'status', title: 'Status', description: 'What goes on', mimeType: 'application/json' },
    (_, { auth }) => JSON.stringify({ process: process.pid, imports, caller: auth?.id }),
  );

  server.resource(
    'notes://{name}',
    {
      name: 'note',
      title: 'A note',
      description: 'One note, as Markdown',
      ...markdown,
      list: async () => (await notes.names()).map((name) => ({ uri: uriOf(name), name, ...markdown })),
      complete: {
        name: async (typed) => (await notes.names()).filter((name) => name.startsWith(typed)),
      },
    },
    ({ variables }) => notes.read(variables.name),
  );
}

/** Notifies subscribers of every change in the folder until the watch is closed. */
export async function announceChanges<C extends EmptyContract>(
  server: Server<C>,
  notes: NoteFolder,
): Promise<FolderWatch> {
  const watch = new FolderWatch(notes, ({ name, kind }) => {
    server.resourceUpdated(uriOf(name));
    if (kind === 'changed') return;
    server.resourceListChanged();
    server.resourceUpdated(indexUri);
  });
  await watch.ready();
  return watch;
}
