import type { Connection, ContractOf } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { memoryPair } from '@tenon/mcp-transport-memory';
import type { Client } from './client.js';
import { connect } from './connect/connect.js';
import type { Dialer } from './connect/dialer.js';
import type { ConnectOptions } from './connect/options.js';

/** A server in this process, such as what `createServer` returns. */
export interface MemoryServer {
  /** Serves one connection. */
  accept(connection: Connection): unknown;
}

/** A target for a server in this process. If it closes, the client does not reconnect. */
export function memoryTarget(server: MemoryServer): Dialer {
  requireServer('memoryTarget', server);
  return {
    restartable: false,
    open() {
      const [near, far] = memoryPair();
      const accepted = server.accept(far);
      if (accepted instanceof Promise) accepted.catch(() => near.close());
      return near;
    },
  };
}

/** Connects to a server in this process; the client is typed by the server. Rejects as {@link connect} does. */
export async function connectMemory<S extends MemoryServer>(
  server: S,
  options: ConnectOptions,
): Promise<Client<ContractOf<S>>> {
  requireServer('connectMemory', server);
  return connect<S>(memoryTarget(server), options);
}
