import { ToolError } from '@tenon/mcp-server';
import { z } from 'zod';
import { type NoteFolder, noteName } from './note-folder.js';

/** The name of a note, as an argument of tools. */
export const name = z
  .string()
  .regex(noteName)
  .describe('Name of the note: lower-case letters, digits, dashes');

/** The text of a note, as an argument of tools. */
export const text = z.string().max(100_000).describe('Markdown');

/** Returns the text of a note. @throws ToolError if there is no note of that name. */
export async function existing(notes: NoteFolder, args: string): Promise<string> {
  const found = await notes.read(args);
  if (found === undefined) throw new ToolError(`There is no note named "${args}".`);
  return found;
}
