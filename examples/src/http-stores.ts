// Several processes that serve the same clients: any of them takes up a session that another one opened.
// #region serve
import { type HttpServing, type SessionStore, serveHttp } from '@tenon/mcp-server/http';
import { server } from './http-notes.js';

/** @param store - what the processes share, such as a table of a database. */
export function serveShared(store: SessionStore, port: number): Promise<HttpServing> {
  return serveHttp(server, { port, sessions: { store } });
}
// #endregion
