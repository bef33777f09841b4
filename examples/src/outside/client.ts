// #region client
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import type { server } from './server.js';

const args = [fileURLToPath(new URL('server.js', import.meta.url))];
const info = { name: 'ten-lines', version: '1.0.0' };
const client = await connect<typeof server>({ command: process.execPath, args }, { info });
const { content } = await client.callTool('greet', { name: 'world' });
console.log(client.revision, content);
await client.close();
// #endregion
