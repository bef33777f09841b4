import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import type { Contract, Revision } from '@tenon/mcp-protocol';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import type { Link, LinkSettings } from './link.js';

/** Serves a server over HTTP on a port of 127.0.0.1, with the HTTP+SSE transport if the revision has no other. */
export async function httpLink<C extends Contract>(
  { server, principal, restartable }: LinkSettings<C>,
  revision: Revision | undefined,
): Promise<Link> {
  const hasSessions = server.revisions.some(({ lifecycle }) => lifecycle === 'handshake');
  const serving = await serveHttp(server, {
    ...(principal !== undefined && { authenticate: () => principal }),
    ...(hasSessions && { mounts: [sseMount(server)] }),
  });
  const isOlder = revision?.lifecycle === 'handshake' && !revision.rules.resumable;
  const target = isOlder ? sseTarget(new URL('/sse', serving.url)) : httpTarget(serving.url);
  return { target: { ...target, restartable }, close: () => serving.close() };
}
