// A program in which the user approves drafts: node dist/use.js
import { fileURLToPath } from 'node:url';
import { connect, textOf } from '@tenon/mcp-client';
import { review } from './client.js';

const args = [fileURLToPath(new URL('drafts.js', import.meta.url)), '--stdio'];
const approve = (tool: string, reason: string) => {
  console.log(`${tool}: ${reason}`);
  return true; // ask the user here
};
const client = await connect(
  { command: process.execPath, args },
  { info: { name: 'writer', version: '1.0.0' }, extensions: [review({ approve })] },
);
const { content } = await client.callTool('draft', { to: 'Ada' });
console.log(textOf(content));
await client.close();
