import { type Delay, realDelay } from './delay.js';

/** Bounds and waits of newline-framed JSON over a pair of streams. */
export interface FramingOptions {
  /** Bytes in one line; a longer one is dropped and reported as malformed. 16 MiB by default. */
  readonly maxLineBytes?: number;
  /** Levels of objects and arrays in one message; a deeper one is reported as malformed. 512 by default. */
  readonly maxNesting?: number;
  /** Characters that may wait for a peer that does not read before the connection ends. 256 Mi by default. */
  readonly maxQueued?: number;
  /** Milliseconds that answers under way have to get ready once the input has ended. 500 by default. */
  readonly endGraceMs?: number;
  /** Milliseconds that `close` waits for the peer to take what was sent. 2,000 by default. */
  readonly flushWaitMs?: number;
  /**
   * Goes on reading while the peer does not read. False by default, which is right for a server: a peer that leaves its
   * answers unread is not served further. A client sets it, else two ends that both wait for each other never move.
   */
  readonly readWhileBlocked?: boolean;
  /** Takes lines that are no messages, cut to 1,024 characters, in place of the receiver's `malformed`. */
  readonly onStrayLine?: (line: string, flaw: string) => void;
  /** The clock. */
  readonly delay?: Delay;
}

/** Framing options with every default filled in. */
export type Framing = Required<Omit<FramingOptions, 'onStrayLine'>> & Pick<FramingOptions, 'onStrayLine'>;

/**
 * Fills in the defaults.
 * @throws RangeError when a bound is not a positive integer or a wait is not a number of milliseconds from 0.
 */
export function framingOf(options: FramingOptions): Framing {
  const { maxLineBytes = 16 << 20, maxNesting = 512, maxQueued = 1 << 28 } = options;
  const { endGraceMs = 500, flushWaitMs = 2000, readWhileBlocked = false, delay = realDelay } = options;
  requireBounds({ maxLineBytes, maxNesting, maxQueued });
  requireWaits({ endGraceMs, flushWaitMs });
  const filled = { maxLineBytes, maxNesting, maxQueued, endGraceMs, flushWaitMs, readWhileBlocked, delay };
  return options.onStrayLine === undefined ? filled : { ...filled, onStrayLine: options.onStrayLine };
}

/** Throws a RangeError unless each value is a positive integer. */
export function requireBounds(bounds: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(bounds)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} must be a positive integer, not ${value}.`);
    }
  }
}

/** Throws a RangeError unless each value is a number of milliseconds that a timer can wait. */
export function requireWaits(waits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(waits)) {
    if (!(value >= 0 && value < 2 ** 31)) {
      throw new RangeError(`${name} must be a number of milliseconds, not ${value}.`);
    }
  }
}
