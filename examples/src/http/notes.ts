// The server of the HTTP examples: notes of each caller, an input request before a note is replaced, progress.
// #region server
import { createServer, type Principal } from '@tenon/mcp-server';
import { z } from 'zod';

const shelves = new Map<string, Map<string, string>>();

export const server = createServer({ name: 'notes', version: '1.0.0' })
  .resource(
    'note://{name}',
    {
      name: 'note',
      list: ({ auth }) => [...shelfOf(auth).keys()].map((name) => ({ uri: `note://${name}`, name })),
    },
    ({ variables }, { auth }) => shelfOf(auth).get(variables.name),
  )
  .tool(
    'save_note',
    { description: 'Saves a note', input: z.object({ name: z.string(), text: z.string() }) },
    async ({ name, text }, ctx) => {
      const shelf = shelfOf(ctx.auth);
      if (shelf.has(name)) {
        const schema = z.object({ sure: z.boolean() });
        const answer = await ctx.elicit('replace', { message: `Replace ${name}?`, schema });
        if (answer.action !== 'accept' || !answer.content.sure) return `Kept ${name}`;
      } else server.resourceListChanged();
      shelf.set(name, text);
      return `Saved ${name} for ${ctx.auth?.id ?? 'everybody'}`;
    },
  )
  .tool(
    'count_words',
    {
      description: 'Counts the words of some notes',
      input: z.object({ names: z.array(z.string()).max(100) }),
    },
    ({ names }, ctx) => {
      let words = 0;
      for (const [index, name] of names.entries()) {
        words += shelfOf(ctx.auth).get(name)?.split(/\s+/).length ?? 0;
        ctx.progress(index + 1, names.length);
      }
      return `${words} words`;
    },
  );

/** The notes of one caller. Unknown callers share theirs. */
function shelfOf(caller: Principal | undefined): Map<string, string> {
  const owner = caller?.id ?? '';
  const shelf = shelves.get(owner) ?? new Map<string, string>();
  shelves.set(owner, shelf);
  return shelf;
}
// #endregion
