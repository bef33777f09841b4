import type { Contract } from '@tenon/mcp-protocol';
import type { Endpoint } from '@tenon/mcp-server';
import { streamConnection } from '@tenon/mcp-transport-stdio/client';
import { bytePair } from '../byte-pair.js';
import { attested } from '../connections/attested-connection.js';
import type { Link, LinkSettings } from './link.js';

/** Connects to a server with lines of JSON over byte streams in this process, as over standard streams. */
export function stdioLink<C extends Contract>(settings: LinkSettings<C>): Link {
  const { server, split, seed = 1, principal, restartable } = settings;
  const endpoints = new Set<Endpoint>();
  let connections = 0;
  const open = () => {
    const [near, far] = bytePair({ split, seed: seed + connections++ });
    const endpoint = server.accept(attested(streamConnection(far), principal));
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
