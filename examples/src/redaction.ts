// What leaves a server: log messages without credentials, and results of tools that are cleaned on their way out.
import { textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { cleanResults, createServer } from '@tenon/mcp-server';

// #region redaction
const mail = /[\w.]{1,64}@[\w.]{1,255}/g;

const server = createServer(
  { name: 'accounts', version: '1.0.0' },
  // Credentials are gone by then; this takes out what only you can know.
  { redact: (data) => (typeof data === 'string' ? data.replace(mail, '[mail]') : data) },
)
  .use(cleanResults())
  // #endregion
  .tool('sync', {}, (_, ctx) => {
    ctx.log('info', 'asked for ada.l@example.com with Bearer abc123def456');
    ctx.log('info', { url: 'postgres://app:hunter2@db/accounts', apiKey: 'abc', rows: 3 });
    return 'done';
  })
  .tool('show_config', {}, () => 'host=db\npassword=hunter2');

const client = await connectMemory(server, {
  info: { name: 'operator', version: '1.0.0' },
  revision: '2025-11-25',
  onLog: ({ data }) => console.log('logged', data),
});
await client.callTool('sync');
const { content } = await client.callTool('show_config');
console.log(textOf(content));
await client.close();
