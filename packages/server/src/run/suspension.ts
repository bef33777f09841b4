/**
 * The reason with which a pending input request rejects when the call ends with it: not an `Error`, so that logging
 * of errors does not log it. The handler runs again from the top with the answers; a `catch` must rethrow it.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export class Suspension {
  /** Keys of the input requests that the call ended with. */
  readonly keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  toString(): string {
    return `Suspended to ask ${quoted(this.keys)}: rethrow this, the handler runs again with the answers.`;
  }
}

/** True for a reason that a `catch` block of a handler must rethrow. */
export function isSuspension(thrown: unknown): thrown is Suspension {
  return thrown instanceof Suspension;
}

/** Returns the keys as text for messages. */
export function quoted(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(', ');
}
