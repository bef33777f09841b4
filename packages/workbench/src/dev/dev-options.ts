import type { Readable, Writable } from 'node:stream';
import type { DevEvent } from './dev-events.js';

/** The server to run: a file that creates a Tenon server, or a command that speaks over stdio. */
export type DevTarget =
  | { readonly kind: 'file'; readonly file: string; readonly args?: readonly string[] }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] };

/** Limits of a server in development. Times are in milliseconds. */
export interface DevLimits {
  /** Time in which a server must start. Default: 30,000. */
  readonly startTime: number;
  /** Time that a message waits for a server that starts. Then the client receives an error. Default: 10,000. */
  readonly holdTime: number;
  /** Messages and requests that wait for a server that starts; further ones receive an error. Default: 256. */
  readonly held: number;
  /** Time in which running calls of the replaced server may end. Default: 5,000. */
  readonly callTime: number;
  /** Time after which a server that does not stop receives SIGTERM, and after as much again SIGKILL. Default: 2,000. */
  readonly stopTime: number;
  /** Time without a further change before the server is reloaded. Default: 50. */
  readonly quietTime: number;
  /** Bytes of the body of an HTTP request that is held in memory; a larger one receives an error. Default: 4,194,304. */
  readonly bodyBytes: number;
  /** Folders that are watched. Default: 2,000. */
  readonly folders: number;
}

/** The limits of {@link DevOptions}, if nothing else is set. */
export const defaultDevLimits: DevLimits = {
  startTime: 30_000,
  holdTime: 10_000,
  held: 256,
  callTime: 5_000,
  stopTime: 2_000,
  quietTime: 50,
  bodyBytes: 4_194_304,
  folders: 2_000,
};

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
  readonly limits?: Partial<DevLimits>;
  /** Receives each event. Must not throw. */
  readonly onEvent?: (event: DevEvent) => void;
}
