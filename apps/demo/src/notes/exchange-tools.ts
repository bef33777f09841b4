import { setTimeout as delay } from 'node:timers/promises';
import { type EmptyContract, type Server, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';
import { readInsideRoots } from './client-files.js';
import { existing, name } from './note-arguments.js';
import { type NoteFolder, noteName } from './note-folder.js';
import type { Imports } from './note-resources.js';
import { noteScopes } from './note-scopes.js';

/** Tools that import notes, and share them. */
export function addExchangeTools<C extends EmptyContract>(
  server: Server<C>,
  notes: NoteFolder,
  imports: Imports,
) {
  return server
    .tool(
      'import',
      {
        title: 'Import notes',
        description: "Makes a note of every section of a Markdown file inside the client's roots",
        input: z.object({
          file: z.string().describe('A file: URI'),
          pace: z.number().int().min(0).max(1_000).default(15).describe('Milliseconds to rest between notes'),
        }),
        scopes: [noteScopes.write],
        annotations: { readOnlyHint: false, destructiveHint: false },
      },
      async ({ file, pace }, ctx) => {
        if (!ctx.can('roots')) throw new ToolError('This client does not offer roots: no file may be read.');
        const sections = sectionsOf(await readInsideRoots(file, await ctx.roots('places')));
        let done = 0;
        imports.running++;
        try {
          ctx.log('info', `Importing ${sections.length} notes`, 'import');
          for (const section of sections) {
            await delay(pace, undefined, { signal: ctx.signal });
            const isNew = await notes.create(section.name, section.text);
            if (!isNew) ctx.log('warning', `"${section.name}" is there already`, 'import');
            ctx.progress(++done, sections.length, section.name);
          }
        } finally {
          imports.running--;
          imports[done === sections.length ? 'finished' : 'stopped']++;
        }
        return `Imported ${done} notes.`;
      },
    )
    .tool(
      'share',
      {
        title: 'Share a note',
        description: 'Sends the user to a page where a note can be published, signed in there and not here',
        input: z.object({ name }),
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      async ({ name }, ctx) => {
        await existing(notes, name);
        const url = `https://notes.example/share/${name}`;
        if (!ctx.can('elicit-url')) return `This client cannot open pages; the user can go to ${url}`;
        const { action } = await ctx.elicitUrl('page', { message: `Sign in to share "${name}".`, url });
        return action === 'accept' ? 'The user went to the page.' : 'The user did not want to share.';
      },
    );
}

interface Section {
  readonly name: string;
  readonly text: string;
}

/** A section starts with a heading of the first level, which becomes the name of the note. */
function sectionsOf(markdown: string): readonly Section[] {
  const sections = markdown.split(/^(?=# )/m).filter((text) => text.startsWith('# '));
  return sections.map((text) => {
    const heading = text.slice(2, text.indexOf('\n'));
    const name = heading.trim().toLowerCase().replaceAll(' ', '-');
    if (!noteName.test(name)) throw new ToolError(`The heading "${heading}" is not a valid name for a note.`);
    return { name, text };
  });
}
