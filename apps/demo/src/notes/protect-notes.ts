import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { noteScopes } from './note-scopes.js';
import type { NotesServer } from './notes-server.js';

/** Whom a server trusts, and as what. */
export interface Protection {
  /** The authorization server whose tokens are taken. */
  readonly issuer: string;
  /** The server's own address: what tokens must be for. */
  readonly url: string;
}

/** Lets in only those with an access token. */
export function protectNotes(server: NotesServer, { issuer, url }: Protection): void {
  protect(server, {
    resource: url,
    authorizationServers: [issuer],
    verify: jwtVerifier(),
    scopes: [noteScopes.read],
    resourceName: 'Notes',
  });
}
