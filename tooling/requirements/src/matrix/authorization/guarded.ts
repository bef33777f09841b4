import { jwtVerifier, protect, type ResourceGuardOptions } from '@tenon/mcp-auth/server';
import type { Contract } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';
import type { TestAuthorizationServer, TokenToIssue } from '@tenon/mcp-testing/oauth';
import { HttpPlace } from './http-place.js';
import { startIssuer } from './setting.js';

/** A server that accepts the tokens of its authorization server. */
export interface Guarded {
  readonly place: HttpPlace;
  readonly issuer: TestAuthorizationServer;
  /** Methods of the requests that passed the guard, in order. */
  readonly reached: readonly string[];
  /** Returns a valid or invalid token for this server. */
  token(wanted?: TokenToIssue): Promise<string>;
}

/** Protects a server on a port of its own, with the tokens of a test authorization server. */
export async function guarded<C extends Contract>(
  server: Server<C>,
  options: Partial<ResourceGuardOptions> = {},
): Promise<Guarded> {
  const issuer = await startIssuer();
  const place = await HttpPlace.open();
  const reached: string[] = [];
  server.use((request, next) => {
    reached.push(request.method);
    return next();
  });
  protect(server, {
    resource: place.url,
    authorizationServers: [issuer.issuer],
    verify: jwtVerifier(),
    ...options,
  });
  place.serve = toNodeHandler(server);
  const token = (wanted: TokenToIssue = {}) => issuer.issueToken({ audience: place.url, ...wanted });
  return { place, issuer, reached, token };
}
