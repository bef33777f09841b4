import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { server } from './server.ts';

/**
 * Serves at the address that the environment names: `HOST`, `PORT`, and `ALLOWED_HOSTS` for other machines. Callers need an
 * access token of `ISSUER` for `RESOURCE`, the URL of this server as clients write it.
 */
export async function serve(env: NodeJS.ProcessEnv): Promise<HttpServing> {
  const { ISSUER, RESOURCE } = env;
  if (!ISSUER)
    throw new Error(
      'Set ISSUER to the URL of your authorization server: copy .env.example to .env and edit it.',
    );
  return serveHttp(server, {
    host: env.HOST ?? '127.0.0.1',
    port: Number(env.PORT ?? 3000),
    ...(env.ALLOWED_HOSTS && { allowedHosts: env.ALLOWED_HOSTS.split(',') }),
    guard: (address) =>
      new ResourceGuard({
        resource: RESOURCE || address,
        authorizationServers: [ISSUER],
        verify: jwtVerifier(),
      }),
  });
}
