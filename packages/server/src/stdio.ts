import process from 'node:process';
import type { Duplex } from 'node:stream';
import type { Contract } from '@tenon/mcp-protocol';
import {
  onTermination,
  type ProcessConnectionOptions,
  processConnection,
  streamConnection,
} from '@tenon/mcp-transport-stdio';
import { surviveSuspensions } from './asking/unhandled.js';
import type { Server } from './server.js';

/** How a server serves a byte stream. */
export interface ServeStdioOptions extends ProcessConnectionOptions {
  /** Serves this stream, such as a socket, instead of the process's own standard streams. */
  readonly stream?: Duplex;
  /** Closes in good order at SIGTERM, SIGINT and SIGHUP. Default: true for the process's own streams. */
  readonly handleSignals?: boolean;
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
 * process ends by itself when its stdin does.
 * @throws TypeError while the standard streams are in use already.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export async function serveStdio<C extends Contract>(
  server: Server<C>,
  options: ServeStdioOptions = {},
): Promise<Serving> {
  const { stream, handleSignals = stream === undefined, ...rest } = options;
  const connection = stream === undefined ? processConnection(rest) : streamConnection(stream, rest);
  if (stream === undefined) surviveSuspensions(process);
  const endpoint = server.accept(connection);
  const dispose = handleSignals ? onTermination(() => endpoint.close()) : () => {};
  const closed = new Promise<void>((resolve) => {
    endpoint.onClosed(() => {
      dispose();
      resolve();
    });
  });
  return { closed, close: () => endpoint.close() };
}
