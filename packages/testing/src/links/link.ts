import type { Dialer } from '@tenon/mcp-client';
import {
  type Connection,
  type Contract,
  type Principal,
  serverPort,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { memoryPair } from '@tenon/mcp-session/memory';
import { WrappedConnection } from '../connections/wrapped-connection.js';

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

/** Connects to a server inside this process, without I/O. */
export function memoryLink<C extends Contract>({ server, principal, restartable }: LinkSettings<C>): Link {
  const open = () => {
    const [near, far] = memoryPair();
    server[serverPort].accept(attested(far, principal));
    return near;
  };
  return { target: { open, restartable }, close: async () => {} };
}

/** A connection with a known caller. */
export class AttestedConnection extends WrappedConnection {
  readonly #facts: TransportFacts;

  constructor(inner: Connection, principal: Principal) {
    super(inner);
    this.#facts = { ...inner.facts, principal };
  }

  override get facts(): TransportFacts {
    return this.#facts;
  }
}

/** Returns a connection with this caller; without a principal, the connection itself. */
export function attested(connection: Connection, principal: Principal | undefined): Connection {
  return principal === undefined ? connection : new AttestedConnection(connection, principal);
}
