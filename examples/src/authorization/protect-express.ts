// A protected endpoint in Express. The path of the metadata leads to the same handler.
import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';
import express from 'express';
import { z } from 'zod';

const { RESOURCE = 'https://mcp.example.com/mcp', ISSUER = 'https://login.example.com' } = process.env;
const { hostname, pathname } = new URL(RESOURCE);

const server = createServer({ name: 'notes', version: '1.0.0' }).tool(
  'save_note',
  { description: 'Saves a note', input: z.object({ name: z.string(), text: z.string() }) },
  ({ name }, { auth }) => `Saved ${name} for ${auth?.id}`,
);

const mcp = protect(toNodeHandler(server, { allowedHosts: [hostname] }), {
  resource: RESOURCE,
  authorizationServers: [ISSUER],
  verify: jwtVerifier(),
});

const app = express();
app.all([pathname, `/.well-known/oauth-protected-resource${pathname}`], mcp);

export const listening = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  listening.close();
  await mcp.drain();
  listening.closeAllConnections();
}
