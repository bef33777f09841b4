import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import { type Contract, type Revision, serverPort } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { streamConnection } from '@tenon/mcp-transport-stdio/client';
import { bytePair } from './byte-pair.js';
import { attested, type Link, type LinkSettings } from './link.js';

/** Connects to a server with lines of JSON over byte streams in this process, as over standard streams. */
export function stdioLink<C extends Contract>(settings: LinkSettings<C>): Link {
  const { server, split, seed = 1, principal, restartable } = settings;
  const endpoints = new Set<Endpoint>();
  let connections = 0;
  const open = () => {
    const [near, far] = bytePair({ split, seed: seed + connections++ });
    const endpoint = server[serverPort].accept(attested(streamConnection(far), principal));
    endpoints.add(endpoint);
    endpoint.onClosed(() => endpoints.delete(endpoint));
    return streamConnection(near);
  };
  return {
    target: { open, restartable },
    async close() {
      await Promise.all([...endpoints].map((endpoint) => endpoint.close()));
    },
  };
}

/** Serves a server over HTTP on a port of 127.0.0.1, with the HTTP+SSE transport if the revision has no other. */
export async function httpLink<C extends Contract>(
  { server, principal, restartable }: LinkSettings<C>,
  revision: Revision | undefined,
): Promise<Link> {
  const hasSessions = server[serverPort].revisions.some(({ lifecycle }) => lifecycle === 'handshake');
  const serving = await serveHttp(server, {
    ...(principal !== undefined && { authenticate: () => principal }),
    ...(hasSessions && { mounts: [sseMount(server)] }),
  });
  const isOlder = revision?.lifecycle === 'handshake' && !revision.rules.resumable;
  const target = isOlder ? sseTarget(new URL('/sse', serving.url)) : httpTarget(serving.url);
  return { target: { ...target, restartable }, close: () => serving.close() };
}
