// The transport of the first revision beside the endpoint of all later ones.
// #region serve
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { server } from './http-notes.js';

export const serving = await serveHttp(server, {
  port: Number(process.env.PORT ?? 3000),
  mounts: [sseMount(server)], // GET /sse and POST /messages
});
// #endregion
