// An endpoint that the pages of one web application can call from the browser.
// #region serve
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from './notes.js';
import { personOf } from './people.js';

export const serving = await serveHttp(server, {
  port: Number(process.env.PORT ?? 3000),
  cors: true,
  allowedOrigins: ['https://app.example.com'],
  authenticate: ({ header }) =>
    personOf(header('authorization')) ?? { status: 401, headers: { 'www-authenticate': 'Bearer' } },
});
// #endregion
