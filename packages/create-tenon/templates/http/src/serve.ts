import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { server } from './server.ts';

/** Serves at the address that the environment names: `HOST`, `PORT`, and `ALLOWED_HOSTS` for other machines. */
export function serve(env: NodeJS.ProcessEnv): Promise<HttpServing> {
  return serveHttp(server, {
    host: env.HOST ?? '127.0.0.1',
    port: Number(env.PORT ?? 3000),
    ...(env.ALLOWED_HOSTS && { allowedHosts: env.ALLOWED_HOSTS.split(',') }),
  });
}
