import type { Connection } from '@tenon/mcp-protocol';
import { MemoryEnd } from './memory-end.js';

/** The limits of a linked pair. */
export interface MemoryPairOptions {
  /** Queued characters at one end from which `send` returns a promise; 1 Mi by default. */
  readonly highWaterMark?: number;
  /** Queued characters at one end from which the pair ends with an error; 256 Mi by default. */
  readonly maxQueued?: number;
}

/**
 * Links two connections in one process: frames sent by one end are parsed and received by the other, in order, in a later
 * microtask. Closing one end closes both, after all frames sent before have been delivered.
 * @throws RangeError if a limit is not a positive integer.
 */
export function memoryPair(options: MemoryPairOptions = {}): [Connection, Connection] {
  const { highWaterMark = 1 << 20, maxQueued = 1 << 28 } = options;
  for (const [name, value] of Object.entries({ highWaterMark, maxQueued })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, not ${value}.`);
    }
  }
  return MemoryEnd.pair(highWaterMark, maxQueued);
}
