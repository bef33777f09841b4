// Scopes of a tool, a scope for some arguments, and broad scopes that include others.
import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { z } from 'zod';

const { RESOURCE = 'https://mcp.example.com/mcp', ISSUER = 'https://login.example.com' } = process.env;

// #region scopes
const server = createServer({ name: 'notes', version: '1.0.0' }).tool(
  'save_note',
  {
    description: 'Saves a note',
    input: z.object({ text: z.string(), shared: z.boolean().default(false) }),
    scopes: ['notes:write'],
  },
  ({ shared }, ctx) => {
    if (shared) ctx.requireScopes('notes:share'); // before the handler does anything
    return shared ? 'Shared' : 'Saved';
  },
);

export const handler = protect(toFetchHandler(server, { allowedHosts: [new URL(RESOURCE).hostname] }), {
  resource: RESOURCE,
  authorizationServers: [ISSUER],
  verify: jwtVerifier(),
  scopes: {
    required: ['notes:read'],
    implies: { 'notes:write': ['notes:read'], 'notes:all': ['notes:write', 'notes:share'] },
  },
});
// #endregion
