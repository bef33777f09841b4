import type { Duplex, Readable, Writable } from 'node:stream';
import { type Connection, TransportError } from '@tenon/mcp-protocol';
import { FramedConnection } from './framed-connection.js';
import { type FramingOptions, framingOf, within } from './framing-options.js';

/** The two streams of a connection, and the limits. */
export interface StdioOptions extends FramingOptions {
  /** Bytes from the peer. */
  readonly input: Readable;
  /** Bytes to the peer; ended when the connection closes. */
  readonly output: Writable;
}

/**
 * Connects over a readable and a writable with newline-framed JSON. The connection owns both from then on.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 * @throws RangeError if an option is out of range.
 */
export function stdioConnection({ input, output, ...options }: StdioOptions): Connection {
  return new FramedConnection(
    {
      input,
      output,
      async release({ cause }) {
        if (cause === undefined && output.writableLength === 0) output.end();
        else output.destroy();
        input.destroy();
        return cause && brokenBy(cause);
      },
    },
    framingOf(options),
  );
}

/**
 * Connects over a socket or any other duplex with newline-framed JSON. The connection owns it from then on. Create a server's
 * socket with `allowHalfOpen`, so that a peer that has ended its side still receives its last answers.
 * @throws RangeError if an option is out of range.
 */
export function streamConnection(duplex: Duplex, options: FramingOptions = {}): Connection {
  const framing = framingOf(options);
  const release = async (cause: Error | undefined): Promise<void> => {
    if (cause === undefined && duplex.writableLength === 0 && !duplex.destroyed) {
      // Unread bytes at the close of a TCP socket would reset it, and the peer would lose the last answers.
      const closed = new Promise((resolve) => duplex.once('close', resolve));
      duplex.end();
      duplex.resume();
      await within(closed, framing.flushWaitMs, framing.delay);
    }
    duplex.destroy();
  };
  return new FramedConnection(
    {
      input: duplex,
      output: duplex,
      release: async ({ cause }) => {
        await release(cause);
        return cause && brokenBy(cause);
      },
    },
    framing,
  );
}

/** Returns the error for the receiver if a stream failed. */
export function brokenBy(cause: Error): TransportError {
  return cause instanceof TransportError
    ? cause
    : new TransportError(`The connection broke: ${cause.message}.`, { cause });
}
