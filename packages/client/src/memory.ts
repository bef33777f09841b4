import { type Connection, serverPort } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import { memoryPair } from '@tenon/mcp-session/memory';
import { connect, type ExtendedClient } from './connect.js';
import type { ClientExtension } from './extensions/installation.js';
import type { ConnectOptions } from './options.js';
import type { Dialer } from './session/dialer.js';

/** A server in this process, such as what `createServer` returns. */
export interface MemoryServer {
  readonly [serverPort]: {
    /** Serves one connection. */
    accept(connection: Connection): unknown;
  };
}

/** A target for a server in this process. If it closes, the client does not reconnect. */
export function memoryTarget(server: MemoryServer): Dialer {
  requireServer('memoryTarget', server);
  return {
    restartable: false,
    open() {
      const [near, far] = memoryPair();
      const accepted = server[serverPort].accept(far);
      if (accepted instanceof Promise) accepted.catch(() => near.close());
      return near;
    },
  };
}

/** Connects to a server in this process; the server and the extensions type the client. Rejects as {@link connect} does. */
export async function connectMemory<
  S extends MemoryServer,
  const E extends readonly ClientExtension[] = readonly ClientExtension[],
>(server: S, options: ConnectOptions & { readonly extensions?: E }): Promise<ExtendedClient<S, E>> {
  requireServer('connectMemory', server);
  return connect<S, E>(memoryTarget(server), options);
}
