/** The reasons why a tool of the workbench cannot do its work. */
export type FailureReason =
  /** An argument, an option or a file is wrong. */
  | 'usage'
  /** The tool has no MCP App, but one was required. */
  | 'no-app'
  /** The server requires sign-in, or denies access. */
  | 'authorization'
  /** The server cannot be reached or started, or is not an MCP server. */
  | 'unreachable'
  /** The tool answered with an error. */
  | 'tool'
  /** The server answered with a protocol error, or with a message that breaks the protocol. */
  | 'protocol'
  /** A check found problems. */
  | 'findings';

/** An error with a reason that programs can act on, and a hint for people. */
export class WorkbenchError extends Error {
  override readonly name: string = 'WorkbenchError';
  readonly reason: FailureReason;
  /** The next step for the user, as one or two sentences. */
  readonly hint: string | undefined;

  /** @param message - says what happened, to which server, tool, option or file. */
  constructor(reason: FailureReason, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.hint = options.hint;
  }
}
