// A server for callers with an access token. Its second tool requires another scope.
// #region protect
import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { z } from 'zod';

const { PORT = '3000', ISSUER = 'https://login.example.com' } = process.env;
const notes = new Map<string | undefined, string>();

export const server = createServer({ name: 'notes', version: '1.0.0' })
  .tool(
    'read_note',
    { description: 'Reads your note' },
    (_, { auth }) => notes.get(auth?.id) ?? 'Nothing yet',
  )
  .tool(
    'save_note',
    { description: 'Saves your note', input: z.object({ text: z.string() }), scopes: ['notes:write'] },
    ({ text }, { auth }) => {
      notes.set(auth?.id, text);
      return `Saved for ${auth?.id}`;
    },
  );

export const serving = await serveHttp(server, {
  port: Number(PORT),
  guard: (resource) =>
    new ResourceGuard({
      resource, // what tokens must be for: the URL of this server as clients write it
      authorizationServers: [ISSUER],
      verify: jwtVerifier(),
      scopes: ['notes:read'], // what every request requires
    }),
});
// #endregion
