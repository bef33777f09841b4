import type { Exchange } from '@tenon/mcp-protocol';

/** A request of the peer. */
interface WithExchange {
  readonly exchange: Exchange;
}

/**
 * Counts the running handlers of one server, in total and by caller, across connections, sessions and exchanges.
 * Requests without bounds are not counted: a connection with one caller counts its own.
 */
export class WorkInFlight {
  /** Running handlers. */
  size = 0;
  readonly #callers = new Map<string, number>();

  /**
   * Returns the reason for which no handler may start for a request; undefined if one may.
   * @param ofConnection - running handlers of the connection, which is the caller if no other is known.
   */
  refusal({ bounds, caller }: Exchange, ofConnection: number): string | undefined {
    if (bounds === undefined) return undefined;
    if (this.size >= bounds.total) return `${this.size} requests are still worked on; try again later.`;
    const mine = caller === undefined ? ofConnection : (this.#callers.get(caller) ?? 0);
    if (mine < bounds.perCaller) return undefined;
    return `${mine} requests of yours are still worked on, those that were stopped included. Try again later.`;
  }

  enter({ exchange: { bounds, caller } }: WithExchange, lasting: boolean): void {
    if (lasting || bounds === undefined) return;
    this.size++;
    if (caller !== undefined) this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1);
  }

  leave({ exchange: { bounds, caller } }: WithExchange, lasting: boolean): void {
    if (lasting || bounds === undefined) return;
    this.size--;
    if (caller === undefined) return;
    const rest = (this.#callers.get(caller) ?? 0) - 1;
    if (rest > 0) this.#callers.set(caller, rest);
    else this.#callers.delete(caller);
  }

  // A request outside sessions has no id that could be used again.
  release(): void {}
}
