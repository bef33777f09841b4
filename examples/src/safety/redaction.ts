// Log messages and tool results without credentials and without mail addresses.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { cleanResults, createServer, redact } from '@tenon/mcp-server';
import { thorough } from '@tenon/mcp-server/redaction';

// #region redaction
// Credentials are removed already; this removes mail addresses too.
const text = (value: string) => value.replace(/[\w.]{1,64}@[\w.]{1,255}/g, '[mail]');

const server = createServer(
  { name: 'accounts', version: '1.0.0' },
  { redact: (data) => redact(data, { text }) }, // of log messages: runs for each text, at any depth
)
  .use(cleanResults({ text })) // of tool results
  // #endregion
  .tool('sync', {}, (_, ctx) => {
    ctx.log('info', 'asked for ada.l@example.com with Bearer abc123def456');
    ctx.log('info', {
      url: 'postgres://app:hunter2@db/accounts',
      apiKey: 'abc',
      owner: { mail: 'ada.l@example.com' },
    });
    return 'done';
  })
  .tool('show_config', {}, () => 'host=db\npassword=hunter2\nadmin=ada.l@example.com');

const client = await connectMemory(server, {
  info: { name: 'operator', version: '1.0.0' },
  revision: '2025-11-25',
  onLog: ({ data }) => console.log('logged', data),
});
await client.callTool('sync');
const { content } = await client.callTool('show_config');
console.log(textOf(content));
await client.close();

// #region thorough
const careful = createServer({ name: 'imports', version: '1.0.0' }, { redact: thorough })
  // #endregion
  .tool('import', {}, (_, ctx) => {
    ctx.log('info', 'signed in with Basic dXNlcjpwYXNz');
    return 'done';
  });
const importer = await connectMemory(careful, {
  info: { name: 'operator', version: '1.0.0' },
  revision: '2025-11-25',
  onLog: ({ data }) => console.log('logged', data),
});
await importer.callTool('import');
await importer.close();
