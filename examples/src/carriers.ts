// One definition, and the carrier chosen when the program starts: standard streams, or HTTP where a port is given.
// #region carriers
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

export const server = createServer({ name: 'echo', version: '1.0.0' }).tool(
  'echo',
  { description: 'Says it again', input: z.object({ text: z.string() }) },
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
  process.once('SIGTERM', () => void serving.close()); // lets what runs finish first
}
// #endregion
