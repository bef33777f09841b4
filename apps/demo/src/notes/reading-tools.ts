import { setTimeout as delay } from 'node:timers/promises';
import type { AppToolOptions } from '@tenon/mcp-apps/server';
import { type Context, type EmptyContract, type Server, textOf } from '@tenon/mcp-server';
import type { TaskToolOptions } from '@tenon/mcp-tasks/server';
import { z } from 'zod';
import { existing, name } from './note-arguments.js';
import type { NoteFolder } from './note-folder.js';

const lens =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Ccircle cx="3" cy="3" r="2"/%3E%3C/svg%3E';

/** Tools that change nothing. */
export function addReadingTools<C extends EmptyContract>(
  server: Server<C, AppToolOptions<'results'> & TaskToolOptions>,
  notes: NoteFolder,
) {
  return server
    .tool(
      'search',
      {
        title: 'Search the notes',
        description: 'Finds the lines of all notes that contain a text, in any case',
        input: z.object({ query: z.string().min(1), limit: z.number().int().min(1).max(100).default(20) }),
        output: z.object({
          total: z.number().int(),
          matches: z.array(z.object({ note: z.string(), line: z.number().int(), text: z.string() })),
        }),
        annotations: { readOnlyHint: true, openWorldHint: false },
        icons: [{ src: lens, mimeType: 'image/svg+xml' }],
        ui: 'results',
      },
      async ({ query, limit }) => {
        const found = await notes.search(query);
        return { total: found.length, matches: found.slice(0, limit) };
      },
    )
    .tool(
      'summarise',
      {
        title: 'Summarise a note',
        description: "Has the client's model sum up a note in a sentence",
        input: z.object({ name }),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async ({ name }, ctx) => summary(await existing(notes, name), ctx),
    )
    .tool(
      'count',
      {
        title: 'Count the words',
        description: 'Counts the words of all notes, as a task for clients that have tasks',
        input: z.object({
          pace: z.number().int().min(0).max(1_000).default(0).describe('Milliseconds to rest between notes'),
        }),
        annotations: { readOnlyHint: true, openWorldHint: false },
        task: { support: 'allow', promoteAfter: 0 },
      },
      async ({ pace }, ctx) => {
        const names = await notes.names();
        let words = 0;
        for (const [index, name] of names.entries()) {
          await delay(pace, undefined, { signal: ctx.signal });
          words += (await notes.read(name))?.split(/\s+/).filter(Boolean).length ?? 0;
          ctx.progress(index + 1, names.length, name);
        }
        return `${words} words in ${names.length} notes.`;
      },
    );
}

async function summary(text: string, ctx: Context): Promise<string> {
  if (!ctx.can('sample')) return `This client has no model; the note begins: ${text.slice(0, 80)}`;
  const { content } = await ctx.sample('summary', {
    systemPrompt: 'Sum the note up in one sentence.',
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
  return textOf(content);
}
