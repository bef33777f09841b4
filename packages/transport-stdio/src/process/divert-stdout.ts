import type { Writable } from 'node:stream';

/** A stream with a replaced `write`. */
export interface Diversion {
  /** Writes to the stream itself. */
  readonly write: Writable['write'];
  /** Restores the stream's own `write` and `end`; safe to call twice. */
  restore(): void;
}

/**
 * Redirects everything that other code writes to `stream`, console methods included, to `instead`, which is called at the first
 * write. Code that has kept a bound `write`, or writes to the file descriptor, is not redirected.
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
