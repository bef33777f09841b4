import { memoryTarget } from '@tenon/mcp-client/memory';
import type { ServerSettings } from '@tenon/mcp-host';
import { createServer } from '@tenon/mcp-server';
import { workshop } from './workshop.js';

/** Lines that say what to try. Each begins with words for the scripted model. */
export const demoWelcome: readonly string[] = [
  'A demo: the model follows a script, and two servers run in this program.',
  'Nothing is sent anywhere. Write for example:',
  '  forecast for Oslo   a call, with your consent',
  '  chart 3 5 8 2       an image',
  '  order               a form of the server',
  '  brew 5 minutes      progress; Ctrl+C cancels it',
  '  slogan about tea    the server asks your model, and you review both ways',
  '  pay invoice 7       a page to visit',
  '  folders             what you show to servers; see /roots',
  '  find tea            then "reprint", then again: a tool that has changed',
];

/** Returns the servers of the demo: a workshop with a tool for each thing that a host shows, and a library that changes a tool. */
export function demoServers(): Readonly<Record<string, ServerSettings>> {
  return {
    library: { target: memoryTarget(library()) },
    workshop: { target: memoryTarget(workshop()) },
  };
}

const books = ['The Book of Tea', 'Tea at Sea', 'Green Tea and Old Maps', 'A Cup for Everyone'];

function library() {
  const server = createServer({ name: 'library', version: '1.0.0' });
  const input = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] } as const;
  const find = ({ words }: { readonly words: string }) => {
    const found = books.filter((book) => book.toLowerCase().includes(words.toLowerCase()));
    return found.length === 0 ? 'No book has these words.' : found.join('\n');
  };
  const annotations = { readOnlyHint: true };
  server.tool(
    'find_book',
    { description: 'Finds books by words of their titles.', input, annotations },
    find,
  );
  let edition = 1;
  server.tool(
    'reprint_catalogue',
    { description: 'Prints the catalogue again: the tool that finds books changes.' },
    () => {
      edition++;
      server.removeTool('find_book');
      const description = `Finds books by words of their titles, in edition ${edition}.`;
      server.tool('find_book', { description, input, annotations }, find);
      return `Edition ${edition} is printed.`;
    },
  );
  return server;
}
