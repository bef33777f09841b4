import type { CompletionReference } from '@tenon/mcp-client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { parseWordArgument } from '@tenon/mcp-workbench/calls';
import { type ServerLine, withClient } from '../../server/with-client.js';

/** Prints values for an argument of a prompt or a resource template, one a line. */
export async function runComplete(line: ServerLine): Promise<void> {
  const { options, terminal, signal } = line;
  await withClient(line, async ({ client, words: [reference, ...words] }) => {
    const pairs = words.map(requirePair);
    const last = pairs.at(-1);
    if (reference === undefined || last === undefined) {
      throw new WorkbenchError('usage', 'The prompt or template, or the argument is missing.', {
        hint: 'Example: tenon complete https://example.com/mcp review language=p',
      });
    }
    const resolved = Object.fromEntries(pairs.slice(0, -1).map(({ name, text }) => [name, text]));
    const query = {
      ref: referenceOf(reference),
      argument: { name: last.name, value: last.text },
      ...(pairs.length > 1 && { context: { arguments: resolved } }),
    };
    const completion = await client.complete(query, { signal });
    if (options.json) return terminal.printJson(completion);
    for (const value of completion.values) terminal.print(value.replace(/[\r\n]+/g, ' '));
    const hidden = (completion.total ?? completion.values.length) - completion.values.length;
    if (hidden > 0 && terminal.isInteractive) terminal.note(`${hidden} more`);
  });
}

function requirePair(word: string): { name: string; text: string } {
  const pair = parseWordArgument(word);
  if (pair !== undefined) return pair;
  throw new WorkbenchError('usage', `"${word}" is not an argument.`, { hint: 'Write name=beginning.' });
}

/** Returns the template for a text with a scheme or braces, otherwise the prompt. */
function referenceOf(text: string): CompletionReference {
  return /^[a-z][a-z0-9+.-]*:|\{/i.test(text)
    ? { type: 'ref/resource', uri: text }
    : { type: 'ref/prompt', name: text };
}
