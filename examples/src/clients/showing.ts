// For programs with a user interface: cached lists, completion while the user types, pages opened with consent, safe icons.
import { connect, MemoryCache } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { consentToUrl, createCompleter, loadIcon } from '@tenon/mcp-client/ui';
import { createServer } from '@tenon/mcp-server';

const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=';
let listed = 0;
const server = createServer({ name: 'notes', version: '1.0.0' }, { cache: { lists: 60_000 } })
  .tool('connect_drive', { icons: [{ src: image, mimeType: 'image/png' }] }, async (_, ctx) => {
    const url = 'https://drive.example/connect?step=1';
    const { action } = await ctx.elicitUrl('drive', { message: 'Connect your drive.', url });
    return action;
  })
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
      `${server?.name} asks: ${message}`, // show it as text, without links
      `${address.before}[${address.host}]${address.after}`, // the whole address, with the host emphasized
      ...address.warnings.map((warning) => warning.text),
    ]),
  open: openBrowser, // such as spawn('xdg-open', [href]): one argument, and no shell
});
// #endregion

// #region cache
const cache = new MemoryCache();
const client = await connect<typeof server>(target, {
  info,
  onElicitUrl,
  cache, // several clients can share it; false for none
  identity: 'ada', // clients with the same identity share private responses; by default no client does
});
const tools = await client.tools().all();
await client.tools().all(); // still fresh: not requested again
await client.tools({ fresh: true }).all(); // requested again
// #endregion
console.log('tools', tools.length, 'listed', listed);

// #region completer
const completer = createCompleter(client);
const field = { ref: { type: 'ref/resource', uri: 'note://{name}' } } as const;
const typed = ['m', 'mi', 'mil'].map((value) =>
  completer.complete({ ...field, argument: { name: 'name', value } }),
);
const [first, , last] = await Promise.all(typed);
console.log(first?.values, last?.values); // undefined for overtaken input: only "mil" was sent
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
