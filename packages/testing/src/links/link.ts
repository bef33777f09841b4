import type { Dialer } from '@tenon/mcp-client';
import type { Contract, Principal } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';

/** A server that can be reached, for the length of a test. */
export interface Link {
  readonly target: Dialer;
  /** Ends what serves it. */
  close(): Promise<void>;
}

/** How a server is to be reached. */
export interface LinkSettings<C extends Contract> {
  readonly server: Server<C>;
  /** Who calls, as far as the server knows. */
  readonly principal?: Principal | undefined;
  /** Bytes come in pieces of 1 to this many, where there are bytes. */
  readonly split?: number | undefined;
  /** Names the draw of the pieces. */
  readonly seed?: number | undefined;
  /** A connection that ended by itself may be replaced. */
  readonly restartable: boolean;
}
