import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { noteScopes } from './note-scopes.js';

/** Returns a function that creates guards for callers with an access token of one authorization server. */
export function notesGuard(issuer: string): (resource: string) => ResourceGuard {
  const verify = jwtVerifier();
  return (resource) =>
    new ResourceGuard({
      resource,
      authorizationServers: [issuer],
      verify,
      scopes: [noteScopes.read],
      resourceName: 'Notes',
    });
}
