// The HTTP+SSE transport of 2024-11-05 beside the endpoint of all later revisions.
// #region serve
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { server } from './notes.js';

export const serving = await serveHttp(server, {
  port: Number(process.env.PORT ?? 3000),
  mounts: [sseMount(server)], // GET /sse and POST /messages
});
// #endregion
