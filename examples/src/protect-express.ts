// A protected endpoint in an Express application, which also has to serve what says where tokens are to be had.
// #region express
import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { toNodeHandler } from '@tenon/mcp-server/http';
import express from 'express';
import { server } from './http-notes.js';

const { RESOURCE = 'https://mcp.example.com/mcp', ISSUER = 'https://login.example.com' } = process.env;
const { hostname, pathname } = new URL(RESOURCE);

const mcp = protect(toNodeHandler(server, { allowedHosts: [hostname] }), {
  resource: RESOURCE,
  authorizationServers: [ISSUER],
  verify: jwtVerifier(),
});

const app = express();
app.all([pathname, `/.well-known/oauth-protected-resource${pathname}`], mcp);
// #endregion

export const listening = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  listening.close();
  await mcp.drain();
  listening.closeAllConnections();
}
