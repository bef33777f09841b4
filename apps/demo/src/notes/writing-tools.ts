import { type Context, type EmptyContract, type Server, ToolError } from '@tenon/mcp-server';
import type { TaskToolOptions } from '@tenon/mcp-tasks/server';
import { z } from 'zod';
import { existing, name, text } from './note-arguments.js';
import type { NoteFolder } from './note-folder.js';
import { uriOf } from './note-resources.js';
import { noteScopes } from './note-scopes.js';

const confirmation = z.object({ sure: z.boolean().default(false).describe('Yes, go on') });

const confirmed = z
  .boolean()
  .default(false)
  .describe('The user has agreed already; only for clients that cannot ask the user');

/** Tools that change notes. They ask the user before they delete or replace text. */
export function addWritingTools<C extends EmptyContract>(
  server: Server<C, TaskToolOptions>,
  notes: NoteFolder,
) {
  return server
    .tool(
      'create',
      {
        title: 'Create a note',
        description: 'Writes a new note',
        input: z.object({ name, text }),
        scopes: [noteScopes.write],
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
      async ({ name, text }) => {
        if (!(await notes.create(name, text)))
          throw new ToolError(`There is a note named "${name}" already.`);
        return [
          { type: 'text', text: `Created "${name}".` },
          { type: 'resource_link', uri: uriOf(name), name, mimeType: 'text/markdown' },
        ];
      },
    )
    .tool(
      'edit',
      {
        title: 'Edit a note',
        description: 'Adds to a note, or replaces its text once the user has agreed',
        input: z.object({ name, text, mode: z.enum(['append', 'replace']).default('append'), confirmed }),
        scopes: [noteScopes.write],
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
      },
      async ({ name, text, mode, confirmed }, ctx) => {
        const before = await existing(notes, name);
        if (mode === 'append') {
          await notes.append(name, text);
          return `Added to "${name}".`;
        }
        const loss = `Replace "${name}"? Its ${before.length} characters would be lost.`;
        if (!confirmed && !(await userAgrees(loss, ctx)))
          return `Left "${name}" as it was: the user declined.`;
        await notes.replace(name, text);
        return `Replaced "${name}".`;
      },
    )
    .tool(
      'delete',
      {
        title: 'Delete a note',
        description: 'Deletes a note once the user has agreed',
        input: z.object({ name, confirmed }),
        scopes: [noteScopes.delete],
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
        task: 'allow',
      },
      async ({ name, confirmed }, ctx) => {
        await existing(notes, name);
        if (!confirmed && !(await userAgrees(`Delete "${name}"?`, ctx))) {
          return `Kept "${name}": the user declined.`;
        }
        await notes.remove(name);
        return `Deleted "${name}".`;
      },
    );
}

async function userAgrees(message: string, ctx: Context): Promise<boolean> {
  if (!ctx.can('elicit')) {
    throw new ToolError('This client cannot ask the user; ask the user, then call with "confirmed": true.');
  }
  const answer = await ctx.elicit('agrees', { message, schema: confirmation });
  return answer.action === 'accept' && answer.content.sure;
}
