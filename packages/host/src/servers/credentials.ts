import type { AuthProvider } from '@tenon/mcp-client';

/** The credentials of one user for one server. */
export interface Credentials {
  readonly auth?: AuthProvider;
  /** Headers of every HTTP request to the server. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables for a program that is started. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The user and the server that credentials are needed for. */
export interface CredentialsRequest {
  readonly user: string | undefined;
  /** The name of the server in the host. */
  readonly server: string;
  /** Undefined for a server that is started by a command. */
  readonly url: string | undefined;
}

/** Credentials by user and server. */
export interface Vault {
  /** Rejects if the credentials cannot be read: then the server is not connected. */
  credentialsFor(request: CredentialsRequest): Credentials | Promise<Credentials>;
}
