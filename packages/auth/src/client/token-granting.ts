import type { Clock } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { OauthHttp } from '../http/oauth-http.js';
import type { AuthEvent } from './auth-events.js';
import type { AuthStore } from './auth-store.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { ClientInformation } from './client-information.js';
import { dpopSigner } from './dpop.js';
import type { DpopSigner } from './dpop-signer.js';
import type { Grant, GrantTools } from './grant.js';
import type { RefusedScopes } from './refused-scopes.js';
import type { TokenSet } from './token-set.js';

/** What {@link TokenGranting} is made of. */
export interface TokenGrantingParts {
  /** The server that tokens are for, as its user named it. */
  readonly target: URL;
  readonly grant: Grant;
  readonly http: OauthHttp;
  readonly store: AuthStore;
  readonly clock: Clock;
  /** Bind tokens to a key: always, never, or where the server asks for it. */
  readonly dpop: boolean | undefined;
  readonly refused: RefusedScopes;
  report(event: WithoutServer): void;
}

/** An event before it is said which server it is about. */
export type WithoutServer = AuthEvent extends infer Event
  ? Event extends AuthEvent
    ? Omit<Event, 'server'>
    : never
  : never;

/** Which tokens are wanted. */
export interface GrantOrder {
  readonly server: AuthorizationServer;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  /** What a client that registers for it declares: these scopes, and those it may ask for later. */
  readonly declared?: readonly string[] | undefined;
  /** The server takes only tokens that are bound to a key. */
  readonly mustBind: boolean;
  /** It takes them. */
  readonly mayBind: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Obtains tokens by one grant: with a client that is known, bound to a key where that is wanted. */
export class TokenGranting {
  readonly #parts: TokenGrantingParts;

  constructor(parts: TokenGrantingParts) {
    this.#parts = parts;
  }

  tools(dpop?: DpopSigner, signal?: AbortSignal): GrantTools {
    const { http, store, clock } = this.#parts;
    return { http, store, clock, dpop, signal };
  }

  /** The client at that server; undefined where it would have to register first. */
  async client(server: AuthorizationServer): Promise<ClientInformation | undefined> {
    const { grant } = this.#parts;
    const tools = this.tools();
    return grant.known === undefined ? grant.client(server, tools) : grant.known(server, tools);
  }

  /** Forgets a client that its server does not know. @returns true when there will be another. */
  async forget(server: AuthorizationServer, client: ClientInformation): Promise<boolean> {
    const { grant, report } = this.#parts;
    const isForgotten = (await grant.forget?.(server, client, this.tools())) ?? false;
    if (isForgotten) report({ type: 'client-forgotten', issuer: server.issuer, clientId: client.clientId });
    return isForgotten;
  }

  /**
   * Asks for tokens, unless the same was refused a short while ago.
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
    const client = await this.#parts.grant.client(server, tools, declared);
    try {
      return await this.#grantedTo(client, order, tools);
    } catch (error) {
      if (!isUnknownClient(error) || !(await this.forget(server, client))) throw error;
    }
    return this.#grantedTo(await this.#parts.grant.client(server, tools, declared), order, tools);
  }

  #grantedTo(client: ClientInformation, order: GrantOrder, tools: GrantTools): Promise<TokenSet> {
    const { grant, target, report } = this.#parts;
    const { server, resource, scopes } = order;
    report({ type: 'signing-in', issuer: server.issuer, clientId: client.clientId, scopes });
    return grant.obtain({ server, resource, scopes, target }, client, tools);
  }

  async #signerFor({ server, mustBind, mayBind }: GrantOrder): Promise<DpopSigner | undefined> {
    const { clock, dpop, target } = this.#parts;
    if (dpop === false) {
      if (!mustBind) return undefined;
      throw new AuthError(
        'unsupported',
        `${target.origin} takes only tokens that are bound to a key, and the option dpop is false.`,
      );
    }
    const isAble = server.dpopSigningAlgs?.includes('ES256') === true;
    if (!isAble && (mustBind || dpop === true)) {
      const who = mustBind ? target.origin : 'the option dpop';
      throw new AuthError(
        'unsupported',
        `Tokens must be bound to a key, says ${who}, and ${new URL(server.issuer).origin} does not say that it can do that with ES256 (dpop_signing_alg_values_supported).`,
      );
    }
    return dpop === true || mustBind || (mayBind && isAble) ? dpopSigner({ clock }) : undefined;
  }
}

/** The authorization server does not know the client. */
export function isUnknownClient(error: unknown): boolean {
  return error instanceof AuthError && error.oauthError === 'invalid_client';
}
