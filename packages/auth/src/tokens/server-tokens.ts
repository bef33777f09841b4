import { AuthError } from '../auth-error.js';
import type { Discovery } from '../discovery/discovery.js';
import { declaredScopes, selectScopes } from '../discovery/scopes.js';
import type { ServerDiscovery } from '../discovery/server-discovery.js';
import { dpopSigner } from '../oauth/dpop.js';
import type { DpopSigner } from '../oauth/es256-signer.js';
import { revokeTokens } from '../oauth/revocation.js';
import { requestTokens } from '../oauth/token-endpoint.js';
import type { TokenOwner, TokenSet } from '../oauth/token-set.js';
import { HeldTokens, type TokenOrigin } from './held-tokens.js';
import { refreshTokens } from './refresh.js';
import type { StoredTokens } from './stored-tokens.js';
import type { ServerParts, TokenGranting } from './token-granting.js';

export interface ServerTokensParts
  extends Pick<ServerParts, 'url' | 'grant' | 'refused' | 'clock' | 'report'> {
  readonly granting: TokenGranting;
  readonly discovery: ServerDiscovery;
  readonly stored: StoredTokens;
  /** Milliseconds before its expiry that a token is replaced. */
  readonly skew: number;
  /** Scopes of the provider's options. */
  readonly scopes: readonly string[];
  /** True to request `offline_access` from authorization servers that list it. */
  readonly offlineAccess: boolean;
  /** True to delete the registration of the client with a sign-out. */
  readonly forgetsClient: boolean;
}

export interface TokenNeed {
  readonly found: Discovery;
  /** Scopes in the challenge of the server. */
  readonly challenged: readonly string[] | undefined;
  /** True if the server accepts tokens that are bound to a key. */
  readonly mayBind: boolean;
  /** True if the current token only lacks scopes. */
  readonly isStepUp: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The tokens for one server: reads, stores, renews and revokes them. */
export class ServerTokens {
  readonly #parts: ServerTokensParts;
  #held: HeldTokens | undefined;
  #isLoaded = false;
  #loading: Promise<void> | undefined;
  #renewing: Promise<boolean> | undefined;
  /** Incremented by each sign-out, so that work from before it brings no tokens back. */
  #era = 0;
  /** Runs changes of the store one after the other, so that none is written after a sign-out. */
  #changes: Promise<unknown> = Promise.resolve();
  /** Stores tokens that could not be stored before; undefined if there are none. */
  #keepLater: (() => Promise<unknown>) | undefined;
  /** The refusal that ended the last sign-in, until there are new tokens. */
  #ended: AuthError | undefined;

  constructor(parts: ServerTokensParts) {
    this.#parts = parts;
  }

  get held(): HeldTokens | undefined {
    return this.#held;
  }

  /** True once it is known that there are no tokens. */
  get isEmpty(): boolean {
    return this.#isLoaded && this.#held === undefined;
  }

  /** Reads the stored tokens, once. */
  async load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#loading ??= this.reread(undefined).then(() => {
      this.#isLoaded = true;
    });
    try {
      await this.#loading;
    } finally {
      this.#loading = undefined;
    }
  }

  /**
   * Reads tokens that another user of the store has written.
   * @param refused - the `Authorization` that was refused; the same token is not used again.
   */
  async reread(refused: string | undefined): Promise<boolean> {
    const { url, stored, clock } = this.#parts;
    const era = this.#era;
    const before = this.#held;
    // Wait for a sign-out that is about to delete tokens, and for new tokens that are not written yet.
    await this.#changes;
    await this.save();
    const owner = await stored.owner(url.href);
    const kept = owner === undefined ? undefined : await stored.read(owner);
    if (owner === undefined || kept === undefined) return false;
    const held = await this.#ready(owner, kept.tokens, 'stored');
    if (era !== this.#era || this.#held !== before || held.authorization === refused) return false;
    if (this.#isLoaded && held.isExpired(clock.now())) return false;
    this.#held = held;
    this.#ended = undefined;
    return true;
  }

  /**
   * Stores tokens that could not be stored when they were new.
   * @returns true if there were such tokens, and they are stored now. @throws AuthError `storage` if it fails again.
   */
  async save(): Promise<boolean> {
    const keep = this.#keepLater;
    if (keep === undefined) return false;
    await this.#inTurn(keep);
    if (this.#keepLater === keep) this.#keepLater = undefined;
    return true;
  }

  /** Returns the tokens if they are for this issuer and resource; otherwise drops them, and deletes them if they are obsolete. */
  async keepOnly({ server, resource }: Discovery): Promise<HeldTokens | undefined> {
    const owner = this.#held?.owner;
    if (owner === undefined) return undefined;
    if (owner.issuer === server.issuer && owner.resource === resource.resource) return this.#held;
    this.#held = undefined;
    // The issuer is still listed but unavailable: its stored tokens may be valid again later.
    const isNamed = owner.issuer !== server.issuer && resource.authorizationServers.includes(owner.issuer);
    if (isNamed) return undefined;
    if (owner.issuer !== server.issuer)
      this.#parts.report({ type: 'moved', from: owner.issuer, to: server.issuer });
    await this.#inTurn(() => this.#parts.stored.remove(this.#parts.url.href, owner));
    return undefined;
  }

  /**
   * Replaces tokens without the user: by the refresh token, or by a grant that needs no user.
   * @returns false if that is impossible. @throws AuthError if it may succeed later.
   */
  renew(held: HeldTokens): Promise<boolean> {
    this.#renewing ??= this.#renew(held).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Obtains new tokens, if needed by a sign-in of the user. @throws AuthError */
  async obtain({ found, challenged, mayBind, isStepUp, signal }: TokenNeed): Promise<void> {
    const { granting, refused, scopes: further, offlineAccess } = this.#parts;
    const { server, resource } = found;
    const earlier = this.#held?.tokens.requested ?? this.#held?.tokens.scopes;
    const scopes = selectScopes({
      challenged,
      resource: resource.scopesSupported,
      server: server.scopesSupported,
      earlier,
      further,
      offline: offlineAccess,
    });
    const era = this.#era;
    const order = {
      server,
      resource: resource.resource,
      scopes,
      declared: declaredScopes({
        asked: scopes,
        resource: resource.scopesSupported,
        server: server.scopesSupported,
      }),
      mustBind: resource.dpopBound,
      mayBind,
      signal,
    };
    const tokens = await granting.obtain(order).catch((error: unknown) => {
      throw error instanceof AuthError ? this.#explained(error) : error;
    });
    this.#requireSame(era);
    const missing = challenged?.filter((scope) => tokens.scopes?.includes(scope) === false) ?? [];
    if (isStepUp && missing.length > 0) refused.remember(server.issuer, scopes, notGranted(missing));
    const { clientId } = tokens;
    const owner = { issuer: server.issuer, clientId, resource: order.resource, assumed: server.assumed };
    await this.accept(owner, tokens, era);
  }

  /** Uses and stores new tokens. @throws AuthError `denied` after a sign-out in between. */
  async accept(owner: TokenOwner, tokens: TokenSet, era: number = this.#era): Promise<void> {
    const { url, stored } = this.#parts;
    const held = await this.#ready(owner, tokens, 'obtained');
    this.#requireSame(era);
    this.#held = held;
    this.#isLoaded = true;
    this.#ended = undefined;
    this.#tell('signed-in', tokens);
    this.#keepLater = async () => {
      if (era === this.#era) await stored.write(url.href, owner, tokens);
    };
    await this.save();
    this.#requireSame(era);
  }

  /** Deletes all tokens and the registration, and revokes the tokens if the authorization server can. */
  async signOut(): Promise<void> {
    const { url, stored, refused, report, granting, forgetsClient } = this.#parts;
    this.#era++;
    const held = this.#held;
    this.#held = undefined;
    this.#keepLater = undefined;
    this.#ended = undefined;
    this.#isLoaded = true;
    refused.clear();
    const forgotten = await this.#inTurn(async () => {
      const owner = held?.owner ?? (await stored.owner(url.href));
      if (owner === undefined) return undefined;
      const tokens = (await stored.read(owner))?.tokens ?? held?.tokens;
      await stored.remove(url.href, owner);
      return { owner, tokens };
    });
    if (forgotten === undefined) return;
    report({ type: 'signed-out' });
    if (forgotten.tokens !== undefined) await this.#revoke(forgotten.owner, forgotten.tokens);
    if (forgetsClient) await granting.forgetAll(forgotten.owner.issuer);
  }

  async #renew(held: HeldTokens): Promise<boolean> {
    const { grant, granting, discovery, stored } = this.#parts;
    const { refreshToken, clientId } = held.tokens;
    if (refreshToken === undefined && grant.interactive) return false;
    await this.save();
    const server = await discovery.issuerOf(held.owner);
    const client = await granting.client(server, clientId);
    // The tokens of another client are lost.
    if (client?.clientId !== clientId) return false;
    if (refreshToken === undefined) return this.#obtainAgain(held, server);
    const tools = granting.tools(held.signer);
    const { resource } = held.owner;
    const era = this.#era;
    try {
      const refreshed = await refreshTokens({
        stored,
        owner: held.owner,
        outdated: held.tokens.accessToken,
        clock: this.#parts.clock,
        renew: ({ requested: asked }, token) => {
          const params = { grant_type: 'refresh_token', refresh_token: token, resource };
          return requestTokens({ server, client, params, asked, tools });
        },
        onOver: (refusal) => {
          this.#ended = refusal;
        },
      });
      if (refreshed === undefined) return await this.#withoutRefresh(held, era);
      const fresh = await this.#ready(held.owner, refreshed.tokens, 'refreshed');
      if (era !== this.#era) return false;
      // A sign-in has replaced the tokens in between, possibly with more scopes.
      if (this.#held !== held) return this.#held !== undefined;
      this.#held = fresh;
      this.#tell('refreshed', refreshed.tokens);
      if (refreshed.unsaved === undefined) return true;
      this.#keepLater = refreshed.keep;
      throw refreshed.unsaved;
    } catch (error) {
      if (!(error instanceof AuthError) || error.reason !== 'denied') throw error;
      const isUnknown = error.oauthError === 'invalid_client';
      return isUnknown && (await granting.forget(server, client)) ? this.#withoutRefresh(held, era) : false;
    }
  }

  async #withoutRefresh(held: HeldTokens, era: number): Promise<false> {
    const tokens = { ...held.tokens, refreshToken: undefined };
    const rest = await this.#ready(held.owner, tokens, held.origin);
    if (era === this.#era && this.#held === held) this.#held = rest;
    return false;
  }

  /** Returns the error of a sign-in, with the reason why it was needed. */
  #explained(error: AuthError): AuthError {
    const reason = this.#ended?.message.replace(/\.$/, '');
    return reason === undefined ? error : error.of(`The stored sign-in has ended (${reason})`);
  }

  async #obtainAgain(held: HeldTokens, server: Discovery['server']): Promise<boolean> {
    const { owner, tokens } = held;
    const isBound = held.signer !== undefined;
    const order = {
      server,
      resource: owner.resource,
      scopes: tokens.requested,
      mustBind: isBound,
      mayBind: isBound,
    };
    const era = this.#era;
    const obtained = await this.#parts.granting.obtain({ ...order, signal: undefined });
    if (era !== this.#era) return false;
    await this.accept(owner, obtained, era);
    return true;
  }

  async #revoke(owner: TokenOwner, tokens: TokenSet): Promise<void> {
    const { granting, discovery, report } = this.#parts;
    try {
      const server = await discovery.issuerOf(owner);
      if (server.revocationEndpoint === undefined) return;
      const client = await granting.client(server, tokens.clientId);
      if (client?.clientId === tokens.clientId)
        await revokeTokens({ server, client, tokens, tools: granting.tools() });
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      // They are deleted here in any case.
      report({ type: 'failed', error });
    }
  }

  async #ready(owner: TokenOwner, tokens: TokenSet, origin: TokenOrigin): Promise<HeldTokens> {
    const { clock, skew } = this.#parts;
    const signer = await this.#signerOf(tokens);
    return new HeldTokens({ owner, tokens, signer, origin, now: clock.now(), skew });
  }

  async #signerOf({ tokenType, dpopKey: key }: TokenSet): Promise<DpopSigner | undefined> {
    if (tokenType !== 'DPoP') return undefined;
    const held = this.#held;
    // The current signer knows the nonces that servers require.
    const isSame = held?.signer !== undefined && held.signer.key.x === key?.x && held.signer.key.y === key?.y;
    return isSame ? held.signer : dpopSigner({ key, clock: this.#parts.clock });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(change);
    // The caller of a change receives its error.
    this.#changes = done.catch(() => undefined);
    return done;
  }

  #requireSame(era: number): void {
    if (era !== this.#era) throw new AuthError('denied', 'Signed out while the sign-in was under way.');
  }

  #tell(type: 'signed-in' | 'refreshed', { issuer, clientId, scopes, expiresAt }: TokenSet): void {
    this.#parts.report({ type, issuer, clientId, scopes, expiresAt });
  }
}

function notGranted(missing: readonly string[]): AuthError {
  return new AuthError(
    'denied',
    `The authorization server did not grant ${missing.join(' ').slice(0, 200)}.`,
  );
}
