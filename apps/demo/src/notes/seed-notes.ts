import { mkdir } from 'node:fs/promises';
import { NoteFolder } from './note-folder.js';

const seeds: Readonly<Record<string, string>> = {
  groceries: '# Groceries\n\n- oat milk\n- coffee beans\n- rye bread\n',
  joinery:
    '# Joinery\n\n## Mortise\n\nThe hole. Cut it first.\n\n## Tenon\n\nThe tongue. Cut it to fit the mortise, never the other way round.\n',
  plans: '# Plans\n\n- build a workbench\n- sharpen the chisels\n',
  poems: '# Poems\n\nA joint without glue\nholds as long as the wood does.\n',
  projects: '# Projects\n\n## Workbench\n\nBeech, two metres.\n\n## Shelf\n\nOak, with dovetails.\n',
};

/** Adds a few notes to a folder, without overwriting existing ones. */
export async function seedNotes(path: string): Promise<NoteFolder> {
  await mkdir(path, { recursive: true });
  const notes = new NoteFolder(path);
  for (const [name, text] of Object.entries(seeds)) await notes.create(name, text);
  return notes;
}
