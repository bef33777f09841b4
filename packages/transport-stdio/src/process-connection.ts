import type { Readable, Writable } from 'node:stream';
import type { Connection } from '@tenon/mcp-protocol';
import { divert } from './divert-stdout.js';
import { FramedConnection } from './framed-connection.js';
import { type FramingOptions, framingOf } from './framing-options.js';
import { brokenBy } from './stream-connection.js';

/** How this process speaks over its own standard streams. */
export interface ProcessConnectionOptions extends FramingOptions {
  /** Sends what other code prints on stdout to stderr until the connection closes. True by default. */
  readonly protectStdout?: boolean;
}

/** Pipes and terminals can be let go of; a file reads to its end by itself. */
type Stdin = Readable & { ref?(): unknown; unref?(): unknown };

/** The streams in use; a second reader would get half of the messages. */
const inUse = new WeakSet<Readable>();

/**
 * Speaks over this process's stdin and stdout. It ends with stdin, flushes, and leaves nothing behind that keeps the
 * process alive; the streams themselves stay open.
 * @throws TypeError while an earlier connection of this process is still open.
 * @throws RangeError when an option is out of range.
 */
export function processConnection(options: ProcessConnectionOptions = {}): Connection {
  const { protectStdout = true, ...rest } = options;
  const framing = framingOf(rest);
  const input: Stdin = process.stdin;
  const output: Writable = process.stdout;
  if (inUse.has(input)) throw new TypeError('This process already speaks over its standard streams.');
  inUse.add(input);
  input.ref?.();
  const diversion = protectStdout ? divert(output, () => process.stderr) : undefined;
  return new FramedConnection(
    {
      input,
      output,
      ...(diversion && { write: diversion.write }),
      async release({ ours, cause }) {
        input.pause();
        // A paused stream may still read ahead, which would keep the process alive.
        input.unref?.();
        diversion?.restore();
        inUse.delete(input);
        return ours || cause === undefined ? undefined : brokenBy(cause);
      },
    },
    framing,
  );
}
