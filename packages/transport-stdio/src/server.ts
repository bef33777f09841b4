import type { Readable, Writable } from 'node:stream';
import type { Connection } from '@tenon/mcp-protocol';
import { FramedConnection } from './framing/framed-connection.js';
import { type FramingOptions, framingOf } from './framing/framing-options.js';
import { brokenBy } from './framing/stream-connection.js';
import { divert } from './process/divert-stdout.js';

export type { Delay, FramingOptions } from './framing/framing-options.js';
export { type StdioOptions, stdioConnection, streamConnection } from './framing/stream-connection.js';
export { onTermination } from './process/termination.js';

/** Options for a connection over this process's stdin and stdout. */
export interface ProcessConnectionOptions extends FramingOptions {
  /** True to redirect text that other code prints on stdout to stderr until the connection closes. True by default. */
  readonly protectStdout?: boolean;
}

/** Pipes and terminals have `unref`; a file is read to its end. */
type Stdin = Readable & { ref?(): unknown; unref?(): unknown };

/** The streams in use; a second reader would receive half of the messages. */
const inUse = new WeakSet<Readable>();

/**
 * Connects over this process's stdin and stdout. The connection ends with stdin, flushes, and keeps nothing that would keep the
 * process alive; the streams stay open.
 * @throws TypeError if an earlier connection of this process is still open.
 * @throws RangeError if an option is out of range.
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
