import type { Clock } from '@tenon/foundation';
import { AuthError, changedError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { OauthHttp } from '../http/oauth-http.js';
import type { ClientInformation } from '../oauth/client-information.js';
import { dpopSigner } from '../oauth/dpop.js';
import type { DpopSigner } from '../oauth/es256-signer.js';
import type { Grant, GrantTools } from '../oauth/grant.js';
import type { TokenSet } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import type { WithoutServer } from './auth-events.js';
import type { RefusedScopes } from './refused-scopes.js';

/** The parts of the authorization of requests to one server. */
export interface ServerParts {
  /** The URL of the server, as the user wrote it. */
  readonly url: URL;
  readonly grant: Grant;
  readonly http: OauthHttp;
  readonly store: AuthStore;
  readonly clock: Clock;
  readonly refused: RefusedScopes;
  report(event: WithoutServer): void;
}

export interface TokenGrantingParts extends ServerParts {
  /** True to bind tokens to a key always, false for never; undefined if the server requires or prefers it. */
  readonly dpop: boolean | undefined;
}

export interface GrantOrder {
  readonly server: AuthorizationServer;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  /** Scopes for a new registration: the requested ones, and those that may be requested later. */
  readonly declared?: readonly string[] | undefined;
  /** True if the server accepts only tokens that are bound to a key. */
  readonly mustBind: boolean;
  /** True if the server accepts tokens that are bound to a key. */
  readonly mayBind: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Obtains tokens by one grant: finds or registers the client, and binds the tokens to a key if needed. */
export class TokenGranting {
  readonly #parts: TokenGrantingParts;

  constructor(parts: TokenGrantingParts) {
    this.#parts = parts;
  }

  tools(dpop?: DpopSigner, signal?: AbortSignal): GrantTools {
    const { http, store, clock } = this.#parts;
    return { http, store, clock, dpop, signal };
  }

  /** Returns the client of stored tokens; undefined if it is not registered any more. */
  async client(server: AuthorizationServer, clientId: string): Promise<ClientInformation | undefined> {
    const { grant } = this.#parts;
    const tools = this.tools();
    return grant.known === undefined ? grant.client(server, tools) : grant.known(server, tools, clientId);
  }

  /** Deletes the registration of a client. @returns true if {@link Grant.client} now registers another. */
  async forget(
    server: Pick<AuthorizationServer, 'issuer'>,
    client: Pick<ClientInformation, 'clientId'>,
  ): Promise<boolean> {
    const { grant, report } = this.#parts;
    const isForgotten = (await grant.forget?.(server, client, this.tools())) ?? false;
    if (isForgotten) report({ type: 'client-forgotten', issuer: server.issuer, clientId: client.clientId });
    return isForgotten;
  }

  /** Deletes the registration at an issuer, whichever client it is of. */
  async forgetAll(issuer: string): Promise<void> {
    await this.#parts.grant.forget?.({ issuer }, undefined, this.tools());
  }

  /**
   * Obtains tokens, unless the same request was refused recently.
   * @throws AuthError
   */
  async obtain(order: GrantOrder): Promise<TokenSet> {
    const { refused } = this.#parts;
    const { server, scopes } = order;
    const recalled = refused.recall(server.issuer, scopes);
    if (recalled !== undefined) throw recalled;
    const mayBeUnbound = this.#parts.dpop !== true && !order.mustBind;
    const tools = { ...this.tools(await this.#signerFor(order), order.signal), mayBeUnbound };
    try {
      const tokens = await this.#granted(order, tools);
      return { ...tokens, requested: tokens.requested ?? scopes };
    } catch (error) {
      if (error instanceof AuthError) refused.rememberDenial(server.issuer, scopes, error);
      throw error;
    }
  }

  async #granted(order: GrantOrder, tools: GrantTools): Promise<TokenSet> {
    const { server, declared = order.scopes } = order;
    const { grant, refused } = this.#parts;
    const isNewClient = grant.known !== undefined && (await grant.known(server, tools)) === undefined;
    const client = await grant.client(server, tools, declared);
    try {
      return await this.#grantedTo(client, order, { ...tools, isNewClient });
    } catch (error) {
      if (!isUnknownClient(error) || !(await this.forget(server, client))) throw error;
    }
    try {
      const another = await grant.client(server, tools, declared);
      return await this.#grantedTo(another, order, { ...tools, isNewClient: true });
    } catch (error) {
      if (!isUnknownClient(error)) throw error;
      const rejection = rejectedAgain(server, error);
      // Otherwise each request would register a client.
      refused.remember(server.issuer, order.scopes, rejection);
      throw rejection;
    }
  }

  #grantedTo(client: ClientInformation, order: GrantOrder, tools: GrantTools): Promise<TokenSet> {
    const { grant, url: target, report } = this.#parts;
    const { server, resource, scopes } = order;
    report({ type: 'signing-in', issuer: server.issuer, clientId: client.clientId, scopes });
    return grant.obtain({ server, resource, scopes, target }, client, tools);
  }

  async #signerFor({ server, mustBind, mayBind }: GrantOrder): Promise<DpopSigner | undefined> {
    const { clock, dpop, url: target } = this.#parts;
    if (dpop === false) {
      if (!mustBind) return undefined;
      throw new AuthError(
        'unsupported',
        `${target.origin} accepts only tokens that are bound to a key, and the option dpop is false.`,
      );
    }
    const isAble = server.dpopSigningAlgs?.includes('ES256') === true;
    if (!isAble && (mustBind || dpop === true)) {
      const who = mustBind ? target.origin : 'The option dpop';
      throw new AuthError(
        'unsupported',
        `${who} requires tokens that are bound to a key, and ${new URL(server.issuer).origin} does not list ES256 in dpop_signing_alg_values_supported.`,
      );
    }
    return dpop === true || mustBind || (mayBind && isAble) ? dpopSigner({ clock }) : undefined;
  }
}

/** True if the authorization server does not know the client, or not for this grant. */
export function isUnknownClient(error: unknown): error is AuthError {
  return (
    error instanceof AuthError &&
    (error.oauthError === 'invalid_client' || error.oauthError === 'unauthorized_client')
  );
}

function rejectedAgain({ issuer }: AuthorizationServer, error: AuthError): AuthError {
  return changedError(error, {
    reason: 'not-registered',
    message: `${issuer} does not accept the client that was just registered there: ${error.message.replace(/\.$/, '')}. Register it there by hand, and add it to the option client.registered.`,
    permanent: true,
  });
}
