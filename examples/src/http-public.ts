// A server that other machines reach: the names it answers to, and who is calling.
// #region serve
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './http-notes.js';
import { personOf } from './http-people.js';

const { PORT = '3000', HOST = '0.0.0.0', HOST_NAME = 'mcp.example.com' } = process.env;

export const serving = await serveHttp(server, {
  port: Number(PORT),
  host: HOST,
  allowedHosts: [HOST_NAME],
  authenticate: async ({ header }) =>
    personOf(header('authorization')) ?? { status: 401, headers: { 'www-authenticate': 'Bearer' } },
});
// #endregion
