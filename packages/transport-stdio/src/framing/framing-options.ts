import { constantsOf, follow } from '@tenon/foundation';

/** Options of newline-framed JSON over a pair of streams. */
export interface FramingOptions {
  /** Bytes in one line; a longer line is dropped and reported as malformed. More if messages are refused as too large. Default: 16 MiB. */
  readonly maxLineBytes?: number;
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

/** Bounds and waits over byte streams that are not options; those of children are there for {@link constantsOf}. */
export const stdioBounds = {
  /** Levels of objects and arrays in one message; a deeper one is reported as malformed. */
  maxNesting: 512,
  /** Characters that may be queued for a peer that does not read, before the connection ends. */
  maxQueued: 268_435_456,
  /** Milliseconds that pending answers have after the input has ended. */
  endGraceMs: 500,
  /** Milliseconds that `close` waits for the peer to read everything sent. */
  flushWaitMs: 2_000,
  /** Milliseconds after closing the stdin of a child, before SIGTERM. */
  closeWaitMs: 2_000,
  /** Milliseconds after SIGTERM, before SIGKILL. */
  terminateWaitMs: 2_000,
  /** Milliseconds after SIGKILL, before the child is abandoned. */
  killWaitMs: 1_000,
  /** Milliseconds that the last lines on stderr have to arrive after the child has failed. */
  exitGraceMs: 200,
  /** Lines of stderr to keep. */
  stderrLines: 20,
  /** Characters to keep of each line of stderr. */
  stderrLineLength: 1_024,
};

/** Framing options with all defaults, and the bounds that are not options. */
export type Framing = Required<Omit<FramingOptions, 'onStrayLine'>> &
  Pick<FramingOptions, 'onStrayLine'> &
  Readonly<typeof stdioBounds>;

/**
 * Fills in the defaults.
 * @throws RangeError if the length of a line is not a positive integer.
 */
export function framingOf(options: FramingOptions): Framing {
  const { maxLineBytes = 16 << 20, readWhileBlocked = false, delay = realDelay, onStrayLine } = options;
  if (!Number.isSafeInteger(maxLineBytes) || maxLineBytes < 1)
    throw new RangeError(`maxLineBytes must be a positive integer, not ${maxLineBytes}.`);
  const filled = { ...constantsOf(stdioBounds, options), maxLineBytes, readWhileBlocked, delay };
  return onStrayLine === undefined ? filled : { ...filled, onStrayLine };
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
