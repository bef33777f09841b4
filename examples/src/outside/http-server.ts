// The greeter again, over HTTP.
// #region server
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);
export const serving = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
console.log(serving.url); // http://127.0.0.1:3000/mcp
// #endregion
