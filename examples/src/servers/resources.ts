// A resource template for a family of notes. A client lists the notes, watches one, and reads it after a change.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';

const notes = new Map([
  ['milk', 'Buy milk'],
  ['mill', 'Visit the mill'],
]);

// #region server
const server = createServer({ name: 'notes', version: '1.0.0' }).resource(
  'note://{name}',
  {
    name: 'note',
    description: 'A note by its name',
    mimeType: 'text/plain',
    list: () => [...notes.keys()].map((name) => ({ uri: `note://${name}`, name })),
    complete: { name: (typed) => [...notes.keys()].filter((name) => name.startsWith(typed)) },
  },
  ({ variables }) => notes.get(variables.name), // undefined: there is no such resource
);

function write(name: string, text: string): void {
  notes.set(name, text);
  server.resourceUpdated(`note://${name}`); // notifies the clients that watch this note
}
// #endregion

const client = await connectMemory(server, { info: { name: 'reader', version: '1.0.0' } });
for await (const { uri } of client.resources()) console.log('listed', uri);

const { values } = await client.complete({
  ref: { type: 'ref/resource', uri: 'note://{name}' },
  argument: { name: 'name', value: 'mil' },
});
console.log('completed', values.join(', '));

// #region watch
const watch = await client.watch({ uris: ['note://milk'] }, (change) => {
  if (change.kind === 'resource') console.log('changed', change.uri);
});
// #endregion
write('milk', 'Buy oat milk');
const { contents } = await client.readResource('note://milk');
console.log('read', textOf(contents));
await watch.close();
await client.close();
