import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Logger } from '@tenon/mcp-server';

// Stands for pino(): fields first, then a sentence.
const print = (level: string) => (_fields: object, message: string) =>
  console.log(`${level} ${message.replace(/\d+ ms/, '... ms')}`);
const log: Logger = { info: print('info'), warn: print('warn'), error: print('error') };

const server = createServer({ name: 'shop', version: '1.0.0' }, { log })
  .tool('price', { description: 'Returns a price' }, () => '3.20')
  .tool('order', { description: 'Orders tea' }, () => {
    throw new Error('The stock cannot be reached');
  });

const client = await connectMemory(server, {
  info: { name: 'agent', version: '1.0.0' },
  revision: '2025-11-25',
});
await client.callTool('price');
await client.callTool('order');
await client.close();
await server.close();
