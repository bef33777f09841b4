/** The reason of a {@link HostError}. The names are stable. */
export type HostErrorReason =
  /** The policy or the user refused. */
  | 'denied'
  /** The host has no such server. */
  | 'unknown-server'
  /** No server has such a tool. */
  | 'unknown-tool'
  /** No server has such a skill, or its label is not one of `list()`. */
  | 'unknown-skill'
  /** The user has to sign in first: `host.servers.signIn(name)`. */
  | 'sign-in-needed'
  /** The server cannot be started or reached. */
  | 'unavailable'
  /** The server went away during the call: it may or may not have run. */
  | 'unknown-outcome'
  /** The audit log could not record the request, so it was not sent. */
  | 'audit'
  /** The request was sent, but the audit log could not record its outcome, so the result is withheld. Do not repeat the request. */
  | 'unrecorded'
  /** A limit of the host was reached. */
  | 'limit'
  /** The host is closed, or the server was removed. */
  | 'closed';

/** An error of a host. Its message names the server, and the tool if there is one. */
export class HostError extends Error {
  override readonly name: string = 'HostError';
  readonly reason: HostErrorReason;
  /** The server that the request was for; undefined if it was for none. */
  readonly server: string | undefined;

  constructor(
    reason: HostErrorReason,
    message: string,
    { server, cause }: { readonly server?: string; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.server = server;
  }
}
