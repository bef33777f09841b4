import type { Connection, serverPort } from '@tenon/mcp-protocol';
import type { State } from '@tenon/mcp-state';

/** The part of a server that the program uses. */
export interface DevelopedServer {
  readonly [serverPort]: { accept(connection: Connection): unknown };
  close(): Promise<void>;
}

/** The program that runs a server in development, in the same process. `tenon dev` installs it before it imports the server. */
export interface Development {
  /** The state of servers without the option `state`. */
  readonly state: State | undefined;
  /**
   * Receives each server that is created.
   * @param announce - notifies the listeners of this process that a list has changed.
   */
  created(server: DevelopedServer, announce: (list: ListName) => void): void;
  /** Receives each error that no peer receives. It replaces the console. */
  failed(error: unknown, where: string): void;
  /** Returns the options with a free port: the address of the server belongs to the program. */
  listening<O extends { readonly port?: number | undefined }>(options: O): O;
  /** Receives a server that listens. Returns the URL for clients. */
  listens(server: object, serving: DevelopedServing): string;
  /** Returns the server's connection if the standard streams belong to the program; undefined if the server may use them. */
  standardStreams(server: object): StandInServing | undefined;
}

/** A list of a server. */
export type ListName = 'tools' | 'prompts' | 'resources';

/** A server that listens at a URL. */
export interface DevelopedServing {
  readonly url: string;
  close(): Promise<void>;
}

/** The connection of a server that may not use the standard streams. */
export interface StandInServing {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const hook: unique symbol = Symbol.for('dev.tenon/development@1');

/** Returns the program that runs this server in development. Only code of the same process can install it: nothing reads the environment. */
export function development(): Development | undefined {
  return (globalThis as { [hook]?: Development })[hook];
}
