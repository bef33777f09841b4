import { type EmptyContract, ErrorCode, RpcError, type Server } from '@tenon/mcp-server';
import { z } from 'zod';
import type { NoteFolder } from './note-folder.js';
import { uriOf } from './note-resources.js';

/** Prompts about notes, with completion of their arguments. */
export function addPrompts<C extends EmptyContract>(server: Server<C>, notes: NoteFolder) {
  const names = async (typed: string) => (await notes.names()).filter((name) => name.startsWith(typed));

  return server
    .prompt(
      'review',
      {
        title: 'Review a note',
        description: 'Asks for a critical reading of a note',
        args: z.object({ note: z.string().describe('Name of the note') }),
        complete: { note: names },
      },
      async ({ note }) => [
        { role: 'user', content: { type: 'text', text: 'Read this note. What is missing?' } },
        { role: 'user', content: { type: 'resource', resource: await embedded(notes, note) } },
      ],
    )
    .prompt(
      'continue',
      {
        title: 'Continue a section',
        description: 'Asks for the next paragraph of a section',
        args: z.object({
          note: z.string().describe('Name of the note'),
          heading: z.string().describe('Heading of the section'),
        }),
        complete: {
          note: names,
          heading: async (typed, { chosen }) => {
            const text = await notes.read(chosen.note ?? '');
            return headingsOf(text ?? '').filter((heading) => heading.startsWith(typed));
          },
        },
      },
      async ({ note, heading }) => {
        const { text } = await embedded(notes, note);
        return `Write one more paragraph for the section "${heading}" of this note:\n\n${text}`;
      },
    );
}

async function embedded(notes: NoteFolder, name: string) {
  const text = await notes.read(name);
  if (text === undefined) throw new RpcError(ErrorCode.invalidParams, `There is no note named "${name}".`);
  return { uri: uriOf(name), mimeType: 'text/markdown', text };
}

function headingsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('## ') ? [line.slice(3)] : []));
}
