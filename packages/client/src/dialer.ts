import type { Connection } from '@tenon/mcp-protocol';

/** Opens connections to one server, one after another. */
export interface Dialer {
  /** Opens a new connection, not started yet. Rejects when the server cannot be reached. */
  open(): Connection | Promise<Connection>;
  /** A lost connection may be replaced by a new one. */
  readonly restartable: boolean;
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
