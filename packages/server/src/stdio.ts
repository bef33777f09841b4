import type { Duplex } from 'node:stream';
import type { Contract } from '@tenon/mcp-protocol';
import { requireServer } from '@tenon/mcp-session';
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
   * its signal, a pool left open or output nobody reads must not make it an orphan. Default 2,000; false for a process
   * that has more to do.
   */
  readonly exitAfter?: number | false;
}

/** A server at work. */
export interface Serving {
  /** Resolves when the peer is gone or {@link close} has finished. */
  readonly closed: Promise<void>;
  /** Takes no more requests, lets those in flight finish within the drain limit, and ends. */
  close(): Promise<void>;
}

/**
 * Serves one peer over the process's standard streams, or over a stream given. Resolves as soon as it listens; the
 * process ends when its stdin does, at the latest after `exitAfter`.
 * @throws TypeError while the standard streams are in use already, and for what is no server.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export async function serveStdio<C extends Contract>(
  server: Server<C>,
  options: ServeStdioOptions = {},
): Promise<Serving> {
  requireServer('serveStdio', server);
  const { stream, handleSignals = stream === undefined, exitAfter = 2_000, ...rest } = options;
  const connection = stream === undefined ? processConnection(rest) : streamConnection(stream, rest);
  const endpoint = server.accept(connection);
  const dispose = handleSignals ? onTermination(() => endpoint.close()) : () => {};
  const closed = new Promise<void>((resolve) => {
    endpoint.onClosed(() => {
      dispose();
      // Unref'd: it fires only where something else keeps the process alive.
      if (stream === undefined && exitAfter !== false) setTimeout(() => process.exit(), exitAfter).unref();
      resolve();
    });
  });
  return { closed, close: () => endpoint.close() };
}
