import type { AuthError } from '@tenon/mcp-auth/client';
import type { ConfigError } from '@tenon/mcp-config';
import { RemoteError, SessionError, TransportError } from '@tenon/mcp-protocol';

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
  /** An audit log was changed, or parts of it are missing. */
  | 'broken-log'
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

/**
 * Returns the error of a client or of a configuration file as an error with a reason and a hint; undefined for an error that is a bug
 * of this program, because neither throws it.
 */
export function failureOf(error: unknown): WorkbenchError | undefined {
  if (error instanceof WorkbenchError) return error;
  if (isConfigError(error)) return configFailure(error);
  if (isAuthError(error)) return authorizationFailure(error);
  if (error instanceof TransportError) return transportFailure(error);
  if (error instanceof RemoteError)
    return new WorkbenchError('protocol', `${error.message} (${error.code})`, { cause: error });
  if (error instanceof SessionError) return sessionFailure(error);
  return undefined;
}

/** Recognizes the error by its name, because only commands that read configuration files need their code. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && error.name === 'ConfigError';
}

function configFailure(error: ConfigError): WorkbenchError {
  const { message, hint } = error;
  return new WorkbenchError('usage', message, { ...(hint !== undefined && { hint }), cause: error });
}

/** Recognizes the error by its name, because only servers with a URL need the code for authorization. */
function isAuthError(error: unknown): error is AuthError {
  return error instanceof TransportError && error.name === 'AuthError';
}

function authorizationFailure(error: AuthError): WorkbenchError {
  const isNetwork = error.reason === 'unreachable';
  const hint =
    error.reason === 'sign-in-needed'
      ? 'Sign in with "tenon login URL", or pass a token: --header "Authorization: Bearer TOKEN".'
      : undefined;
  return new WorkbenchError(isNetwork ? 'unreachable' : 'authorization', error.message, {
    ...(hint !== undefined && { hint }),
    cause: error,
  });
}

function transportFailure(error: TransportError): WorkbenchError {
  const isDenied = error.status === 401 || error.status === 403;
  return new WorkbenchError(isDenied ? 'authorization' : 'unreachable', error.message, { cause: error });
}

function sessionFailure(error: SessionError): WorkbenchError {
  const isGone = error.reason === 'closed' || error.reason === 'timeout';
  return new WorkbenchError(isGone ? 'unreachable' : 'protocol', error.message, { cause: error });
}
