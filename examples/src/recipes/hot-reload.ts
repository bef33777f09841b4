// A client that goes on when the server restarts: `node hot-reload.js http://127.0.0.1:3000/mcp`.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connect, textOf } from '@tenon/mcp-client';

const [url = 'http://127.0.0.1:3000/mcp'] = process.argv.slice(2);
const client = await connect(url, {
  info: { name: 'developer', version: '1.0.0' },
  onStateChange: ({ state }) => console.log('state:', state),
  reconnect: { attempts: 50, delay: 100, maxDelay: 1_000 },
});

// Calls the tool for each line that you type.
const lines = createInterface({ input: process.stdin });
lines.on('line', (name) => {
  client.callTool('greet', { name }, { idempotent: true }).then(
    ({ content }) => console.log(textOf(content)),
    (error: Error) => console.log(error.message),
  );
});
console.log('connected');
await once(lines, 'close');
await client.close();
