import type { Duplex } from 'node:stream';
import { type Contract, serverPort } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session/internal';
import {
  onTermination,
  type ProcessConnectionOptions,
  processConnection,
  streamConnection,
} from '@tenon/mcp-transport-stdio/server';
import { development } from './core/development.js';
import type { Server } from './server.js';

/** Options of serving a byte stream. */
export interface ServeStdioOptions extends ProcessConnectionOptions {
  /** The stream to serve, such as a socket. Default: the standard streams of the process. */
  readonly stream?: Duplex;
  /** True to close gracefully at SIGTERM, SIGINT and SIGHUP. Default: true for the standard streams. */
  readonly handleSignals?: boolean;
  /**
   * True if the process has other work and goes on after its standard streams ended. By default it exits a second later at the
   * latest: work that ignores its signal, an open pool or unread output must not make it an orphan.
   */
  readonly keepsRunning?: boolean;
  /**
   * Milliseconds that running calls have to end when the server closes, by a signal or by `close()`; `limits.drain` if
   * that is less. More if calls need longer and the client waits for them. Their signals abort at once, and calls that end in time are answered. Default: 1,500, because a client kills a
   * server 2,000 ms after it closed the input.
   */
  readonly stopWithin?: number;
}

/** Milliseconds for which the process may still run after its standard streams ended. */
const exitWait = 1_000;

/** A running server. */
export interface Serving {
  /** Resolves when the peer has disconnected or {@link close} has finished. */
  readonly closed: Promise<void>;
  /** Stops accepting requests, aborts the running calls, and ends within `stopWithin`. */
  close(): Promise<void>;
}

/**
 * Serves one peer over the process's standard streams, or over the given stream. Resolves as soon as it listens; the
 * process ends when its stdin ends, a second later at the latest.
 * @throws TypeError if the standard streams are in use already, or the server is invalid; RangeError if a wait
 * is invalid.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export async function serveStdio<C extends Contract>(
  server: Server<C>,
  options: ServeStdioOptions = {},
): Promise<Serving> {
  requireServer('serveStdio', server);
  const { stream, handleSignals = stream === undefined, keepsRunning = false, ...others } = options;
  const { stopWithin = 1_500, ...rest } = others;
  if (!(stopWithin >= 0))
    throw new RangeError(`stopWithin must be a number of milliseconds, not ${stopWithin}.`);
  const standIn = stream === undefined ? development()?.standardStreams(server) : undefined;
  if (standIn !== undefined) return standIn;
  const connection = stream === undefined ? processConnection(rest) : streamConnection(stream, rest);
  const endpoint = server[serverPort].accept(connection);
  const close = () => endpoint.close(stopWithin);
  // Responses may still have to be written to a peer that does not read.
  const dispose = handleSignals ? onTermination(close, stopWithin + 250) : () => {};
  const closed = new Promise<void>((resolve) => {
    endpoint.onClosed(() => {
      dispose();
      // Unref'd: it fires only if something else keeps the process alive.
      if (stream === undefined && !keepsRunning) setTimeout(() => process.exit(), exitWait).unref();
      resolve();
    });
  });
  return { closed, close };
}
