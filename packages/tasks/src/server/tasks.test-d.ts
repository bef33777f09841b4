import { createServer } from '@tenon/mcp-server';
import { tasks } from './tasks.js';

const info = { name: 'test', version: '1' };
const server = createServer(info, { extensions: [tasks()] });

server.tool('a', { task: 'allow' }, () => 'a');
server.tool(
  'b',
  { task: { support: 'always', ttl: 1_000, inputFirst: ['name'], takeOver: false } },
  () => 'b',
);
// @ts-expect-error there is no such support
server.tool('c', { task: 'sometimes' }, () => 'c');
// @ts-expect-error an object needs a support
server.tool('d', { task: { ttl: 1_000 } }, () => 'd');
// @ts-expect-error the server has no tasks
createServer(info).tool('e', { task: 'allow' }, () => 'e');
// @ts-expect-error there is no such option
tasks({ timeToLive: 1 });
