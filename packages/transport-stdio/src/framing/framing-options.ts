import { follow } from '@tenon/foundation';

/** Limits and timeouts of newline-framed JSON over a pair of streams. */
export interface FramingOptions {
  /** Bytes in one line; a longer line is dropped and reported as malformed. 16 MiB by default. */
  readonly maxLineBytes?: number;
  /** Levels of objects and arrays in one message; a deeper one is reported as malformed. 512 by default. */
  readonly maxNesting?: number;
  /** Characters that may be queued for a peer that does not read, before the connection ends. 256 Mi by default. */
  readonly maxQueued?: number;
  /** Milliseconds that pending answers have after the input has ended. 500 by default. */
  readonly endGraceMs?: number;
  /** Milliseconds that `close` waits for the peer to read everything sent. 2,000 by default. */
  readonly flushWaitMs?: number;
  /**
   * True to continue reading while the peer does not read. False by default, which is right for a server: a peer that leaves its
   * answers unread gets no further service. A client sets it; otherwise two ends that wait for each other would block forever.
   */
  readonly readWhileBlocked?: boolean;
  /** Called with lines that are not messages, cut to 1,024 characters, instead of the receiver's `malformed`. */
  readonly onStrayLine?: (line: string, problem: string) => void;
  /** The clock. */
  readonly delay?: Delay;
}

/** Framing options with all defaults filled in. */
export type Framing = Required<Omit<FramingOptions, 'onStrayLine'>> & Pick<FramingOptions, 'onStrayLine'>;

/**
 * Fills in the defaults.
 * @throws RangeError if a limit is not a positive integer or a timeout is not a number of milliseconds from 0.
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

/** Runs `run` once after `ms` milliseconds, unless the function it returns is called first. */
export type Delay = (ms: number, run: () => void) => () => void;

/** The real clock. */
export const realDelay: Delay = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Resolves true when `event` settles within `ms` milliseconds, else false. */
export function within(event: Promise<unknown>, ms: number, delay: Delay): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = delay(ms, () => resolve(false));
    const happened = (): void => {
      cancel();
      resolve(true);
    };
    follow(event, happened, happened);
  });
}
