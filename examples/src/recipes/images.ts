// Images and files in both directions: as results of tools, as resources, and as arguments.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

// Stands for `await readFile('logo.png')`: bytes are enough, base64 is not your concern.
const logo: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=',
  'base64',
);

const server = createServer({ name: 'studio', version: '1.0.0' })
  // An image that the model sees, with a text beside it.
  .tool('draw_logo', { description: 'Draws the logo' }, () => [
    { type: 'text', text: 'The logo, 1 by 1 pixel:' },
    { type: 'image', data: logo, mimeType: 'image/png' },
  ])
  // A file that travels with the result.
  .tool('export_csv', { description: 'Exports the colours as CSV' }, () => ({
    type: 'resource',
    resource: { uri: 'file:///colours.csv', mimeType: 'text/csv', text: 'name,hex\nink,#102030\n' },
  }))
  // A link to a file that the client reads only if it needs it.
  .tool('find_logo', { description: 'Finds the file of the logo' }, () => ({
    type: 'resource_link',
    uri: 'studio://logo.png',
    name: 'logo.png',
    mimeType: 'image/png',
    size: logo.byteLength,
  }))
  .resource('studio://logo.png', { name: 'logo.png', mimeType: 'image/png' }, () => logo)
  // A file as an argument: JSON has no bytes, so the client sends base64.
  .tool(
    'measure_file',
    { description: 'Counts the bytes of a file', input: z.object({ file: z.base64().max(1_000_000) }) },
    ({ file }) => `${Buffer.from(file, 'base64').byteLength} bytes`,
  );

const client = await connectMemory(server, { info: { name: 'viewer', version: '1.0.0' } });

const drawn = await client.callTool('draw_logo');
for (const block of drawn.content) {
  if (block.type === 'image') console.log(block.mimeType, Buffer.from(block.data, 'base64').byteLength);
}

const { content } = await client.callTool('find_logo');
for (const block of content) {
  if (block.type !== 'resource_link') continue;
  const { contents } = await client.readResource(block.uri);
  for (const part of contents) {
    if ('blob' in part) console.log(block.name, Buffer.from(part.blob, 'base64').byteLength);
  }
}

const file = Buffer.from(logo).toString('base64');
console.log(textOf((await client.callTool('measure_file', { file })).content));
await client.close();
