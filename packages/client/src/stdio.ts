import { type SpawnOptions, spawnConnection } from '@tenon/mcp-transport-stdio/client';
import type { Dialer } from './dialer.js';

export type { SpawnOptions } from '@tenon/mcp-transport-stdio/client';
export type { CommandTarget, Dialer } from './dialer.js';

/**
 * A target that starts a server as a child process and starts it again when it dies.
 * `connect({ command, ... })` does the same; here every setting of the transport can be given.
 * https://modelcontextprotocol.io/specification/latest/basic/transports
 */
export function stdioTarget(target: SpawnOptions): Dialer {
  return { open: () => spawnConnection(target), restartable: true };
}
