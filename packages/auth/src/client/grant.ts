import type { Clock } from '@tenon/mcp-protocol';
import type { OauthHttp } from '../http/oauth-http.js';
import type { AuthStore } from './auth-store.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { ClientInformation } from './client-information.js';
import type { DpopSigner } from './dpop-signer.js';
import type { TokenSet } from './token-set.js';

/** What obtaining a token may use. */
export interface GrantTools {
  readonly http: OauthHttp;
  readonly store: AuthStore;
  readonly clock: Clock;
  /** Undefined where tokens are not bound to a key. */
  readonly dpop: DpopSigner | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Which token is wanted. */
export interface GrantRequest {
  readonly server: AuthorizationServer;
  /** Identifier of the server the token is for. */
  readonly resource: string;
  /** Undefined leaves the choice to the authorization server. */
  readonly scopes: readonly string[] | undefined;
}

/** One way to come by an access token. */
export interface Grant {
  /** Its `grant_type`; what a registration declares. */
  readonly type: string;
  /** A person is asked: scopes that are missing are worth asking for. */
  readonly interactive: boolean;
  /**
   * The client as the authorization server knows it, registering it if that is how it is done.
   * @throws AuthError `not-registered`
   */
  client(server: AuthorizationServer, tools: GrantTools): Promise<ClientInformation>;
  /** @throws AuthError */
  obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet>;
}
