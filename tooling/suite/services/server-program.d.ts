/** A running server in a process of its own. */
export interface ServerProgram {
  readonly addresses: { url: string; sse?: string };
  /** Returns the end of what it has printed on stderr. */
  stderr(): string;
  /** Sends SIGTERM. Resolves with the exit code, or the signal that ended it. */
  end(): Promise<number | string>;
}

/**
 * Starts a server that prints its addresses as a line of JSON, `{"url": ..., "sse": ...}`, and waits for that line. The program ends with
 * this process.
 */
export declare function startServerProgram(
  command: string,
  args: readonly string[],
  options?: {
    /** Milliseconds that it has to end after SIGTERM. */
    readonly endTime?: number;
    readonly cwd?: string;
    /** Receives what it prints on stderr. */
    readonly onStderr?: (text: string) => void;
  },
): Promise<ServerProgram>;
