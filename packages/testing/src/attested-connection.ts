import type { CarrierFacts, Connection, Principal } from '@tenon/mcp-protocol';
import { WrappedConnection } from './wrapped-connection.js';

/** A connection whose caller is known. */
export class AttestedConnection extends WrappedConnection {
  readonly #facts: CarrierFacts;

  constructor(inner: Connection, principal: Principal) {
    super(inner);
    this.#facts = { ...inner.facts, principal };
  }

  override get facts(): CarrierFacts {
    return this.#facts;
  }
}

/** The connection as it is, or one whose caller is known. */
export function attested(connection: Connection, principal: Principal | undefined): Connection {
  return principal === undefined ? connection : new AttestedConnection(connection, principal);
}
