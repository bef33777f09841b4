// The endpoint in a Fastify application.
// #region app
import { toNodeHandler } from '@tenon/mcp-server/http';
import fastify from 'fastify';
import { server } from './http-notes.js';
import { personOf } from './http-people.js';

const mcp = toNodeHandler(server, { allowedHosts: ['localhost', '127.0.0.1', 'mcp.example.com'] });

export const app = fastify({ bodyLimit: 4 * 1024 * 1024 });
app.all('/mcp', (request, reply) => {
  const principal = personOf(request.headers.authorization);
  if (principal === undefined) {
    reply.code(401).header('WWW-Authenticate', 'Bearer').send();
    return;
  }
  reply.hijack(); // from here on the response is not Fastify's
  mcp.serve(request.raw, reply.raw, { principal, body: request.body });
});
app.addHook('preClose', () => mcp.drain()); // so that open streams do not hold app.close() up
// #endregion

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
