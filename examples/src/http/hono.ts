// The endpoint in a Hono application, for every runtime that Hono runs on.
// #region app
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { Hono } from 'hono';
import { server } from './notes.js';
import { personOf } from './people.js';

export const mcp = toFetchHandler(server, { allowedHosts: ['localhost', '127.0.0.1', 'mcp.example.com'] });

export const app = new Hono();
app.all('/mcp', async (c) => {
  const principal = personOf(c.req.header('authorization'));
  if (principal === undefined) return c.body(null, 401, { 'WWW-Authenticate': 'Bearer' });
  return mcp.serve(c.req.raw, { principal });
});
// #endregion
