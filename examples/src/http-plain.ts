// Clients of the handshake revisions without streams, and without sessions.
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './http-notes.js';

// #region json-only
// Sessions, but each answer is one JSON body: no progress, no questions, no resuming.
export const jsonOnly = await serveHttp(server, { sessions: { jsonOnly: true } });
// #endregion

// #region sessionless
// No sessions: each request is answered on its own, by whichever process gets it.
export const sessionless = await serveHttp(server, { sessions: false });
// #endregion
