import type { Dialer } from '@tenon/mcp-client';
import type { Contract, Principal } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';

/** A server that a test can connect to. */
export interface Link {
  readonly target: Dialer;
  /** Stops serving. */
  close(): Promise<void>;
}

/** Options for the transport of a test connection. */
export interface LinkSettings<C extends Contract> {
  readonly server: Server<C>;
  /** The caller the server authenticates. */
  readonly principal?: Principal | undefined;
  /** Maximum bytes of a piece, on a transport of bytes. */
  readonly split?: number | undefined;
  /** Seed of the random sizes of the pieces. */
  readonly seed?: number | undefined;
  /** True if a connection that ended by itself may be replaced. */
  readonly restartable: boolean;
}
