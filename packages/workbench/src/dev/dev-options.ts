import type { Readable, Writable } from 'node:stream';
import type { DevEvent } from './dev-events.js';

/** The server to run: a file that creates a Tenon server, or a command that speaks over stdio. */
export type DevTarget =
  | { readonly kind: 'file'; readonly file: string; readonly args?: readonly string[] }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] };

/** Bounds of a server in development. Times are in milliseconds. */
export const devBounds = {
  /** Time in which a server must start. */
  startTime: 30_000,
  /** Time that a message waits for a server that starts. Then the client receives an error. */
  holdTime: 10_000,
  /** Messages and requests that wait for a server that starts; further ones receive an error. */
  held: 256,
  /** Time in which running calls of the replaced server may end. */
  callTime: 5_000,
  /** Time after which a server that does not stop receives SIGTERM, and after as much again SIGKILL. */
  stopTime: 2_000,
  /** Time without a further change before the server is reloaded. */
  quietTime: 50,
  /** Bytes of the body of an HTTP request that is held in memory; a larger one receives an error. */
  bodyBytes: 4_194_304,
  /** Folders that are watched. */
  folders: 2_000,
};

export type DevBounds = typeof devBounds;

/** Options of `startDev`. */
export interface DevOptions {
  readonly target: DevTarget;
  /** Default: `http`. A command speaks over stdio only. */
  readonly transport?: 'http' | 'stdio';
  /** The port. Default: 3000, or the next free one. */
  readonly port?: number;
  /** The working folder, an absolute path. Default: that of this process. */
  readonly cwd?: string;
  /** Variables of the server. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A file of further variables, which is read at each start. */
  readonly envFile?: string;
  /** Patterns of further files to watch, relative to the working folder, such as `data/**`. */
  readonly watch?: readonly string[];
  /** The URL of a module for `node --import` that lets Node run TypeScript. */
  readonly loader?: string;
  /** The streams of the client, for the transport `stdio`. Default: those of this process. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
  /** Receives each event. Must not throw. */
  readonly onEvent?: (event: DevEvent) => void;
}
