import type { Contract } from '@tenon/mcp-protocol';
import { memoryPair } from '@tenon/mcp-transport-memory';
import { attested } from '../connections/attested-connection.js';
import type { Link, LinkSettings } from './link.js';

/** Connects to a server inside this process, without I/O. */
export function memoryLink<C extends Contract>({ server, principal, restartable }: LinkSettings<C>): Link {
  const open = () => {
    const [near, far] = memoryPair();
    server.accept(attested(far, principal));
    return near;
  };
  return { target: { open, restartable }, close: async () => {} };
}
