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
  { info: { name: 'writer', version: '1.0.0' }, extensions: [review({ approve, onDecided: console.log })] },
);
// In 2026-07-28 notifications must be requested; in older revisions they come in any case.
await client.watch({ filters: { reviews: ['draft'] } }, () => {});
const { content } = await client.callTool('draft', { to: 'Ada' });
console.log(textOf(content));
await client.close();
