// A module that Bun and Deno serve as it is.
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);
const mcp = toFetchHandler(server, { limits: { keepAlive: 5_000 } }); // Bun closes connections after 10 s of silence

export default {
  hostname: '127.0.0.1',
  port: 3000,
  fetch: (request: Request): Promise<Response> => mcp(request),
};
