import type { Clock } from '@tenon/foundation';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { OauthHttp } from '../http/oauth-http.js';
import type { AuthStore } from '../store/auth-store.js';
import type { ClientInformation } from './client-information.js';
import type { DpopSigner } from './es256-signer.js';
import type { TokenSet } from './token-set.js';

/** The tools that a grant obtains tokens with. */
export interface GrantTools {
  readonly http: OauthHttp;
  readonly store: AuthStore;
  /** Its `now()` is milliseconds since 1970. */
  readonly clock: Clock;
  /** Undefined for bearer tokens. */
  readonly dpop: DpopSigner | undefined;
  /** True to accept a bearer token although a bound one was requested; default: false. */
  readonly mayBeUnbound?: boolean | undefined;
  /** True if the client has just been registered: its authorization server knows it. */
  readonly isNewClient?: boolean | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The token that a grant should obtain. */
export interface GrantRequest {
  readonly server: AuthorizationServer;
  /** Identifier of the server that the token is for. */
  readonly resource: string;
  /** Undefined leaves the choice to the authorization server. */
  readonly scopes: readonly string[] | undefined;
  /** The URL of that server, as the user wrote it. */
  readonly target?: URL | undefined;
}

/** One use of a grant. */
export interface GrantCall {
  readonly request: GrantRequest;
  readonly client: ClientInformation;
  readonly tools: GrantTools;
}

/** A way to obtain access tokens. */
export interface Grant {
  /** Its `grant_type`, which a registration declares. */
  readonly type: string;
  /** Distinguishes grants of the same type that share a store, such as by client id; contains no secret. */
  readonly identity?: string | undefined;
  /** Identifier of the MCP extension that the client declares for this grant. */
  readonly extension?: string | undefined;
  /** True if the user signs in, so that missing scopes can be requested. */
  readonly interactive: boolean;
  /**
   * Returns the client at an authorization server; registers it if needed.
   * @param scopes - the scopes that it is going to request, for the registration.
   * @throws AuthError `not-registered`
   */
  client(
    server: AuthorizationServer,
    tools: GrantTools,
    scopes?: readonly string[],
  ): Promise<ClientInformation>;
  /**
   * Returns the client without registering it; undefined if it is not registered. Absent in grants that never register.
   * @param clientId - the client of stored tokens, which may be from an earlier registration.
   */
  known?(
    server: AuthorizationServer,
    tools: GrantTools,
    clientId?: string,
  ): Promise<ClientInformation | undefined>;
  /** @throws AuthError */
  obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet>;
  /**
   * Deletes the registration of a client; of any client, if it is undefined. Absent if the client cannot be registered again.
   * @returns true if {@link client} now registers another.
   */
  forget?(
    server: Pick<AuthorizationServer, 'issuer'>,
    client: Pick<ClientInformation, 'clientId'> | undefined,
    tools: GrantTools,
  ): Promise<boolean>;
}
