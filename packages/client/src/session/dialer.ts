import type { AuthProvider, Connection } from '@tenon/mcp-protocol';

/** Opens connections to one server, one after another. */
export interface Dialer {
  /** Opens a new connection, not started yet. Rejects if the server cannot be reached. */
  open(): Connection | Promise<Connection>;
  /** True if a lost connection may be replaced by a new one. */
  readonly restartable: boolean;
  /** The name of the server: the result of a probe is shared by all clients of this process. */
  readonly server?: string;
  /**
   * The whole address of the server: its public responses are shared by clients with the same cache
   * and address.
   */
  readonly address?: string;
  /** The dialer of the older transport of the same server. */
  older?(): Dialer | Promise<Dialer>;
}

/** A server behind a URL, as configuration files of hosts describe it. */
export interface UrlTarget {
  readonly url: string | URL;
  /** As the option `headers` of `connect`: sent to the server only, not to other origins. */
  readonly headers?: Readonly<Record<string, string>>;
  /** As in configuration files: `http`, `streamable-http` or `sse`. It changes nothing: the transport is detected. */
  readonly type?: string;
}

/** A server that is started as a child process and uses its standard streams. */
export interface CommandTarget {
  readonly command: string;
  /** As in configuration files: `stdio`. */
  readonly type?: string;
  readonly args?: readonly string[];
  /** Variables in addition to the few inherited ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working folder. Default: that of this process. */
  readonly cwd?: string;
  /**
   * The destination of the child's stderr. `show` writes its lines to this process's stderr and stores the last ones for error
   * messages; a function receives each line instead; `pipe` only stores the last lines;
   * `inherit` shares this process's stderr and stores nothing; `ignore` drops everything. Default: `show`.
   */
  readonly stderr?: 'show' | 'pipe' | 'inherit' | 'ignore' | ((line: string) => void);
}

/** Opens a new connection with each call. */
export type ConnectionFactory = () => Connection | Promise<Connection>;

/** Options of a server's URL. */
export interface UrlOptions {
  /** Headers of every HTTP request, such as `authorization`; a function is called before each. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  /** Signs in if the server requires it, such as `oauth(...)` of `@tenon/mcp-auth/client`. */
  readonly auth?: AuthProvider;
  /** Sends HTTP requests, on platforms without Node or in your own way. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
}
