/**
 * What a pending question rejects with when the call ends to ask the client: not an `Error`, so that logging what
 * went wrong does not log it. The handler runs again from the top with the answers; a `catch` must throw it on.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export class Suspension {
  /** Keys of the questions the call ended with. */
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  toString(): string {
    return `Suspended to ask ${quoted(this.keys)}: rethrow this, the handler runs again with the answers.`;
  }
}

/** True for what a `catch` block of a handler must rethrow. */
export function isSuspension(thrown: unknown): thrown is Suspension {
  return thrown instanceof Suspension;
}

/** Keys as they stand in messages. */
export function quoted(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(', ');
}
