import { type SpawnOptions, spawnConnection } from '@tenon/mcp-transport-stdio/client';
import type { Dialer } from './session/dialer.js';

export type { SpawnOptions } from '@tenon/mcp-transport-stdio/client';
export type { CommandTarget, Dialer } from './session/dialer.js';

/**
 * Returns a target that starts a server as a child process, and starts it again when it exits.
 * `connect({ command, ... })` does the same; this function has every setting of the transport.
 * https://modelcontextprotocol.io/specification/latest/basic/transports
 */
export function stdioTarget(target: SpawnOptions): Dialer {
  return { open: () => spawnConnection(target), restartable: true };
}
