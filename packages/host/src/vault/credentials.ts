import type { AuthProvider } from '@tenon/mcp-protocol';

/** A server that a user is connected to. */
export interface VaultRequest {
  /** Undefined in a host with a single user. */
  readonly user: string | undefined;
  /** The name of the server in the host. */
  readonly server: string;
  /** The URL of the server; undefined for a server that is a program. */
  readonly url: string | URL | undefined;
}

/** The credentials of a user for a server: the options `auth` and `headers` of a connection, and variables of a program. */
export interface Credentials {
  readonly auth?: AuthProvider;
  readonly headers?: Record<string, string>;
  readonly env?: Record<string, string>;
}

/** Returns the credentials of a host. */
export interface Vault {
  /**
   * Returns the credentials of a user for a server; empty if there are none. Returns the same `auth` each time.
   * @throws VaultError if a secret is missing, or if the server is at another origin than its credentials are for.
   */
  credentialsFor(request: VaultRequest): Promise<Credentials>;
}
