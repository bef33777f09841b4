import type { Duplex, Readable, Writable } from 'node:stream';
import { type Connection, TransportError } from '@tenon/mcp-protocol';
import { within } from './delay.js';
import { FramedConnection } from './framed-connection.js';
import { type FramingOptions, framingOf } from './framing-options.js';

/** The two streams to speak over, and the bounds. */
export interface StdioOptions extends FramingOptions {
  /** Bytes from the peer. */
  readonly input: Readable;
  /** Bytes to the peer; it is ended when the connection closes. */
  readonly output: Writable;
}

/**
 * Speaks newline-framed JSON over a readable and a writable, both of which the connection owns from then on.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 * @throws RangeError when an option is out of range.
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
 * Speaks newline-framed JSON over a socket or any other duplex, which the connection owns from then on. A server's
 * socket should be made with `allowHalfOpen`, so that a peer that has ended its side still gets its last answers.
 * @throws RangeError when an option is out of range.
 */
export function streamConnection(duplex: Duplex, options: FramingOptions = {}): Connection {
  const framing = framingOf(options);
  const release = async (cause: Error | undefined): Promise<void> => {
    if (cause === undefined && duplex.writableLength === 0 && !duplex.destroyed) {
      // Bytes left unread at the close of a TCP socket would reset it, and with it what the peer has yet to read.
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

/** The failure of a stream as the receiver is told it. */
export function brokenBy(cause: Error): TransportError {
  return cause instanceof TransportError
    ? cause
    : new TransportError(`The connection broke: ${cause.message}.`, { cause });
}
