// Endpoints without streams, and without sessions.
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './notes.js';

// #region json-only
// Sessions, but each answer is one JSON body: no progress, no input requests, no resumption.
export const jsonOnly = await serveHttp(server, { sessions: { jsonOnly: true } });
// #endregion

// #region sessionless
// No sessions: any process can answer any request.
export const sessionless = await serveHttp(server, { sessions: false });
// #endregion
