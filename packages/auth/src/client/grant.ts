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
  /** Its `now()` is milliseconds since 1970. */
  readonly clock: Clock;
  /** Undefined where tokens are not bound to a key. */
  readonly dpop: DpopSigner | undefined;
  /** A token that is not bound to the key will do all the same; false by default. */
  readonly mayBeUnbound?: boolean | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Which token is wanted. */
export interface GrantRequest {
  readonly server: AuthorizationServer;
  /** Identifier of the server the token is for. */
  readonly resource: string;
  /** Undefined leaves the choice to the authorization server. */
  readonly scopes: readonly string[] | undefined;
  /** Address of that server, as the user named it. */
  readonly target?: URL | undefined;
}

/** One way to come by an access token. */
export interface Grant {
  /** Its `grant_type`; what a registration declares. */
  readonly type: string;
  /** Tells it from others of its type that share a store, such as a client id; nothing secret. */
  readonly identity?: string | undefined;
  /** Identifier of the extension that it is, which clients declare. */
  readonly extension?: string | undefined;
  /** A person is asked: scopes that are missing are worth asking for. */
  readonly interactive: boolean;
  /**
   * The client as the authorization server knows it, registering it if that is how it is done.
   * @param scopes - those that it is going to ask for, for its registration.
   * @throws AuthError `not-registered`
   */
  client(
    server: AuthorizationServer,
    tools: GrantTools,
    scopes?: readonly string[],
  ): Promise<ClientInformation>;
  /** The same, but undefined where it would have to register first; absent where it never does. */
  known?(server: AuthorizationServer, tools: GrantTools): Promise<ClientInformation | undefined>;
  /** @throws AuthError */
  obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet>;
  /**
   * Forgets a client that its authorization server says it does not know; absent where it cannot be had anew.
   * @returns true when {@link client} now gives another.
   */
  forget?(server: AuthorizationServer, client: ClientInformation, tools: GrantTools): Promise<boolean>;
}
