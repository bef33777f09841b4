// What a program with a user interface needs: lists that are not asked for twice, completion while somebody types, pages
// opened with consent, and icons that are safe to show.
import { connect, MemoryCache } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { consentToUrl, createCompleter, loadIcon } from '@tenon/mcp-client/ui';
import { createServer } from '@tenon/mcp-server';

const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=';
let listed = 0;
const server = createServer({ name: 'notes', version: '1.0.0' }, { cache: { lists: 60_000 } })
  .tool('connect_drive', { icons: [{ src: image, mimeType: 'image/png' }] }, (_, ctx) =>
    ctx.elicitUrl('drive', { message: 'Connect your drive.', url: 'https://drive.example/connect?step=1' }),
  )
  .resource('note://{name}', { complete: { name: () => ['milk', 'mill'] } }, () => 'Buy milk')
  .use((call, next) => {
    if (call.method === 'tools/list') listed++;
    return next();
  });

const target = memoryTarget(server);
const info = { name: 'editor', version: '1.0.0' };
const openBrowser = async (href: string) => console.log('opened', href);
const dialogue = async (lines: readonly string[]) => {
  for (const line of lines) console.log('shown', line);
  return 'accept' as const;
};

// #region pages
const onElicitUrl = consentToUrl({
  confirm: ({ message, address }, { server }) =>
    dialogue([
      `${server?.name} asks: ${message}`, // plain text: nothing in it is to be clicked
      `${address.before}[${address.host}]${address.after}`, // all of it, the host so that it stands out
      ...address.warnings.map((warning) => warning.text),
    ]),
  open: openBrowser, // such as spawn('xdg-open', [href]): one argument, and no shell
});
// #endregion

// #region cache
const cache = new MemoryCache({ entries: 500 });
const client = await connect<typeof server>(target, {
  info,
  onElicitUrl,
  cache, // may serve several clients; false for none
  identity: 'ada', // clients with the same identity share what is private to it; by default nobody does
});
const tools = await client.tools().all();
await client.tools().all(); // fresh for a minute, says the server: not asked for again
await client.tools({ fresh: true }).all(); // asked for all the same
// #endregion
console.log('tools', tools.length, 'listed', listed);

// #region completer
const completer = createCompleter(client, { wait: 20 });
const field = { ref: { type: 'ref/resource', uri: 'note://{name}' } } as const;
const typed = ['m', 'mi', 'mil'].map((value) =>
  completer.complete({ ...field, argument: { name: 'name', value } }),
);
const [first, , last] = await Promise.all(typed);
console.log(first?.values, last?.values); // undefined for what was overtaken: the server heard of "mil" alone
completer.close();
// #endregion

// #region icons
for (const icon of tools[0]?.icons ?? []) {
  const { type, bytes } = await loadIcon(icon, { origin: 'https://notes.example/mcp' });
  console.log('icon', type, bytes.length);
}
// #endregion

const { content } = await client.callTool('connect_drive');
console.log(content);
await client.close();
