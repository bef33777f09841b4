// A server for other machines: its host name, and its callers.
// #region serve
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './notes.js';
import { personOf } from './people.js';

const { PORT = '3000', HOST = '0.0.0.0', HOST_NAME = 'mcp.example.com' } = process.env;

export const serving = await serveHttp(server, {
  port: Number(PORT),
  host: HOST,
  allowedHosts: [HOST_NAME],
  authenticate: async ({ header }) =>
    personOf(header('authorization')) ?? { status: 401, headers: { 'www-authenticate': 'Bearer' } },
});
// #endregion
