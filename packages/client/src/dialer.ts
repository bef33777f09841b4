import type { AuthProvider, Connection } from '@tenon/mcp-protocol';

/** Opens connections to one server, one after another. */
export interface Dialer {
  /** Opens a new connection, not started yet. Rejects when the server cannot be reached. */
  open(): Connection | Promise<Connection>;
  /** A lost connection may be replaced by a new one. */
  readonly restartable: boolean;
  /** Which server this is: what was found out of it serves every client of this process. */
  readonly server?: string;
  /**
   * The whole address of the server: responses it means for everybody are shared by the clients that have the same cache
   * and address.
   */
  readonly address?: string;
  /** The way to reach the same server where it has no more than an older transport. */
  older?(): Dialer | Promise<Dialer>;
}

/** A server that is started as a child process and spoken to over its standard streams. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables added to the few that are inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working folder; this process's by default. */
  readonly cwd?: string;
  /** `pipe` keeps the last lines for error messages, a function gets each line too; `pipe` by default. */
  readonly stderr?: 'pipe' | 'inherit' | 'ignore' | ((line: string) => void);
}

/** Makes a new connection each time it is called. */
export type ConnectionFactory = () => Connection | Promise<Connection>;

/** How a server is reached by its URL. */
export interface UrlOptions {
  /** Headers of every HTTP request, such as `authorization`; a function is asked before each. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  /** Signs in where the server wants it, such as `oauth(...)` of `@tenon/mcp-auth/client`. */
  readonly auth?: AuthProvider;
  /** Sends HTTP requests where there is no Node, or in a way of your own. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
}
