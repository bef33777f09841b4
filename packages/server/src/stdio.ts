import type { Duplex } from 'node:stream';
import type { Contract } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import {
  onTermination,
  type ProcessConnectionOptions,
  processConnection,
  streamConnection,
} from '@tenon/mcp-transport-stdio/server';
import type { Server } from './server.js';

/** How a server serves a byte stream. */
export interface ServeStdioOptions extends ProcessConnectionOptions {
  /** Serves this stream, such as a socket, instead of the process's own standard streams. */
  readonly stream?: Duplex;
  /** Closes in good order at SIGTERM, SIGINT and SIGHUP. Default: true for the process's own streams. */
  readonly handleSignals?: boolean;
  /**
   * Milliseconds the process may still run once its own standard streams were served to the end: work that ignores
   * its signal, a pool left open or output nobody reads must not make it an orphan. Default 1,000; false for a process
   * that has more to do.
   */
  readonly exitAfter?: number | false;
  /**
   * Milliseconds that calls in flight have to end when the server closes, by a signal or by `close()`; `limits.drain` if
   * that is less. Their signals abort at once, and those that end in time are answered. Default 1,500: a client ends a
   * server by force 2,000 ms after it asked.
   */
  readonly stopWithin?: number;
}

/** A server at work. */
export interface Serving {
  /** Resolves when the peer is gone or {@link close} has finished. */
  readonly closed: Promise<void>;
  /** Stops accepting requests, has the calls in flight stop within `stopWithin`, and ends. */
  close(): Promise<void>;
}

/**
 * Serves one peer over the process's standard streams, or over a stream given. Resolves as soon as it listens; the
 * process ends when its stdin does, at the latest after `exitAfter`.
 * @throws TypeError while the standard streams are in use already, and for what is no server; RangeError for waits that
 * cannot be.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export async function serveStdio<C extends Contract>(
  server: Server<C>,
  options: ServeStdioOptions = {},
): Promise<Serving> {
  requireServer('serveStdio', server);
  const { stream, handleSignals = stream === undefined, exitAfter = 1_000, ...others } = options;
  const { stopWithin = 1_500, ...rest } = others;
  if (!(stopWithin >= 0))
    throw new RangeError(`stopWithin must be a number of milliseconds, not ${stopWithin}.`);
  const connection = stream === undefined ? processConnection(rest) : streamConnection(stream, rest);
  const endpoint = server.accept(connection);
  const close = () => endpoint.close(stopWithin);
  // What was answered may still have to be written, by a peer that does not read.
  const dispose = handleSignals ? onTermination(close, stopWithin + 250) : () => {};
  const closed = new Promise<void>((resolve) => {
    endpoint.onClosed(() => {
      dispose();
      // Unref'd: it fires only where something else keeps the process alive.
      if (stream === undefined && exitAfter !== false) setTimeout(() => process.exit(), exitAfter).unref();
      resolve();
    });
  });
  return { closed, close };
}
