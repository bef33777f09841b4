import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { type FetchHandler, toFetchHandler } from '@tenon/mcp-server/fetch';
import { server } from './server.ts';

interface Env {
  /** The URL of the authorization server that issues access tokens. */
  readonly ISSUER?: string;
  /** The URL of this server as clients write it. Access tokens must be for it. */
  readonly RESOURCE?: string;
}

let mcp: FetchHandler | undefined;

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    const isServed = pathname === '/mcp' || pathname === '/.well-known/oauth-protected-resource/mcp';
    if (!isServed) return new Response('Not found\n', { status: 404 });
    mcp ??= protectedHandler(env);
    return mcp(request);
  },
};

function protectedHandler({ ISSUER, RESOURCE }: Env): FetchHandler {
  if (!ISSUER || !RESOURCE) throw new Error('Set ISSUER and RESOURCE in wrangler.jsonc.');
  // Workers routes by host name, so there is no other host to reject. Without sessions each request can run anywhere.
  return protect(toFetchHandler(server, { allowedHosts: 'any', sessions: false }), {
    resource: RESOURCE,
    authorizationServers: [ISSUER],
    verify: jwtVerifier(),
  });
}
