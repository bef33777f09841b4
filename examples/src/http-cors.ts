// An endpoint that pages of one web application may call from the browser, with a token.
// #region serve
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './http-notes.js';
import { personOf } from './http-people.js';

export const serving = await serveHttp(server, {
  port: Number(process.env.PORT ?? 3000),
  cors: true,
  allowedOrigins: ['https://app.example.com'],
  authenticate: ({ header }) =>
    personOf(header('authorization')) ?? { status: 401, headers: { 'www-authenticate': 'Bearer' } },
});
// #endregion
