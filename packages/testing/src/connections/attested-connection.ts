import type { Connection, Principal, TransportFacts } from '@tenon/mcp-protocol';
import { WrappedConnection } from './wrapped-connection.js';

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
