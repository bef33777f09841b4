import { ToolError } from '@tenon/mcp-server';
import { z } from 'zod';
import { type NoteFolder, noteName } from './note-folder.js';

/** The name of a note, as tools take it. */
export const name = z
  .string()
  .regex(noteName)
  .describe('Name of the note: lower-case letters, digits, dashes');

/** The text of a note, as tools take it. */
export const text = z.string().max(100_000).describe('Markdown');

/** The text of a note. @throws ToolError when there is none of that name. */
export async function existing(notes: NoteFolder, wanted: string): Promise<string> {
  const found = await notes.read(wanted);
  if (found === undefined) throw new ToolError(`There is no note named "${wanted}".`);
  return found;
}
