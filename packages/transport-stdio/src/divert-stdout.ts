import type { Writable } from 'node:stream';

/** A stream whose own `write` has been set aside. */
export interface Diversion {
  /** Writes to the stream itself. */
  readonly write: Writable['write'];
  /** Gives the stream its own `write` and `end` back; safe to call twice. */
  restore(): void;
}

/**
 * Sends to `instead` what anybody writes to `stream` from now on, console methods included, since they look `write` up
 * at each call. `instead` is asked for when there is something to write. Code that has kept a bound `write`, or writes to the file descriptor, is not caught.
 */
export function divert(stream: Writable, instead: () => Writable): Diversion {
  const write = stream.write.bind(stream);
  const own = (['write', 'end'] as const).map((name) => ({
    name,
    descriptor: Object.getOwnPropertyDescriptor(stream, name),
  }));
  const replace = (name: 'write' | 'end', value: unknown): void => {
    Object.defineProperty(stream, name, { value, configurable: true, writable: true, enumerable: true });
  };
  replace('write', (...args: Parameters<Writable['write']>) => instead().write(...args));
  replace('end', (chunk?: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) instead().write(chunk);
    return stream;
  });
  let diverted = true;
  return {
    write,
    restore() {
      if (!diverted) return;
      diverted = false;
      for (const { name, descriptor } of own) {
        if (descriptor === undefined) Reflect.deleteProperty(stream, name);
        else Object.defineProperty(stream, name, descriptor);
      }
    },
  };
}
