// One server definition for two transports: HTTP if MCP_PORT is set, stdio otherwise.
// #region transports
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

export const server = createServer({ name: 'echo', version: '1.0.0' }).tool(
  'echo',
  { description: 'Returns the text', input: z.object({ text: z.string() }) },
  ({ text }) => text,
);

const { MCP_PORT } = process.env;
if (MCP_PORT === undefined) {
  const { serveStdio } = await import('@tenon/mcp-server/stdio');
  await serveStdio(server);
} else {
  const { serveHttp } = await import('@tenon/mcp-server/http');
  const serving = await serveHttp(server, { port: Number(MCP_PORT) });
  console.log(serving.url);
  process.once('SIGTERM', () => void serving.close()); // running calls may finish
}
// #endregion
