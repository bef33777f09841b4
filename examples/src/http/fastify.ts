// The endpoint in a Fastify application.
// #region app
import { toNodeHandler } from '@tenon/mcp-server/http';
import fastify from 'fastify';
import { server } from './notes.js';
import { personOf } from './people.js';

const mcp = toNodeHandler(server, { allowedHosts: ['localhost', '127.0.0.1', 'mcp.example.com'] });

export const app = fastify({ bodyLimit: 4 * 1024 * 1024 });
app.all('/mcp', (request, reply) => {
  const principal = personOf(request.headers.authorization);
  if (principal === undefined) {
    reply.code(401).header('WWW-Authenticate', 'Bearer').send();
    return;
  }
  reply.hijack(); // Fastify leaves the response to the handler
  mcp.serve(request.raw, reply.raw, { principal, body: request.body });
});
app.addHook('preClose', () => mcp.drain()); // ends open streams, which would delay app.close()
// #endregion

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
