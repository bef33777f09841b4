// Connects to any server and lists its tools: `node connect.js http://127.0.0.1:3000/mcp`, or `node connect.js node server.js`.
import { connect } from '@tenon/mcp-client';

const [first = 'http://127.0.0.1:3000/mcp', ...args] = process.argv.slice(2);
const target = first.startsWith('http') ? first : { command: first, args };

const client = await connect(target, { info: { name: 'lister', version: '1.0.0' } });
console.log(`${client.server?.name} speaks ${client.revision}`);
for await (const { name, description } of client.tools()) console.log(`${name}: ${description}`);
await client.close();
