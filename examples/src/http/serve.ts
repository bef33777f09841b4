// The shortest HTTP server: one endpoint for every revision, at 127.0.0.1.
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './notes.js';

export const serving = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
console.log(serving.url); // http://127.0.0.1:3000/mcp

// #region shutdown
process.once('SIGTERM', () => void serving.close());
// #endregion
