import type { AuthorizationHeaders, AuthorizedRequest } from '@tenon/mcp-protocol';
import type { DpopSigner } from '../oauth/es256-signer.js';
import type { TokenOwner, TokenSet } from '../oauth/token-set.js';

/** The source of tokens. */
export type TokenOrigin = 'stored' | 'refreshed' | 'obtained';

export interface HeldTokensParts {
  readonly tokens: TokenSet;
  readonly owner: TokenOwner;
  /** Undefined for bearer tokens. */
  readonly signer: DpopSigner | undefined;
  readonly origin: TokenOrigin;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds before its expiry that a token is replaced. */
  readonly skew: number;
}

/** Tokens in memory, ready to be sent. */
export class HeldTokens {
  readonly tokens: TokenSet;
  readonly owner: TokenOwner;
  readonly origin: TokenOrigin;
  /** The time at which they were read or obtained, in milliseconds since 1970. */
  readonly since: number;
  /** The value of `Authorization`. */
  readonly authorization: string;
  /** The time at which the server refused them although they were new, in milliseconds since 1970. */
  refusedAt: number | undefined;
  /** Undefined for bearer tokens. */
  readonly signer: DpopSigner | undefined;
  readonly #headers: AuthorizationHeaders;
  readonly #dueAt: number;
  #renewAt: number;

  constructor({ tokens, owner, signer, origin, now, skew }: HeldTokensParts) {
    this.tokens = tokens;
    this.owner = owner;
    this.origin = origin;
    this.since = now;
    this.signer = signer;
    this.authorization = `${tokens.tokenType} ${tokens.accessToken}`;
    this.#headers = Object.freeze({ authorization: this.authorization });
    const { expiresAt = Number.POSITIVE_INFINITY } = tokens;
    // A token with a lifetime shorter than twice the skew is replaced after half its life.
    this.#dueAt = expiresAt - Math.max(0, Math.min(skew, (expiresAt - now) / 2));
    this.#renewAt = this.#dueAt;
  }

  /** The time from which the token should be replaced, in milliseconds since 1970. */
  get renewAt(): number {
    return this.#renewAt;
  }

  /** Delays the next attempt to replace the token, at most until it expires. */
  postpone(until: number): void {
    this.#renewAt = Math.min(until, this.tokens.expiresAt ?? until);
  }

  /** Undoes {@link postpone}. @returns false if the token should be replaced now. */
  resume(now: number): boolean {
    this.#renewAt = this.#dueAt;
    return now < this.#dueAt;
  }

  /** Scopes of the token, as far as they are known. */
  get scopes(): readonly string[] {
    return this.tokens.scopes ?? this.tokens.requested ?? [];
  }

  isExpired(now: number): boolean {
    return (this.tokens.expiresAt ?? Number.POSITIVE_INFINITY) <= now;
  }

  /** Returns the headers of one request; synchronous unless a DPoP proof is needed. */
  headersFor({ method, url }: AuthorizedRequest): AuthorizationHeaders | Promise<AuthorizationHeaders> {
    const { authorization, signer, tokens } = this;
    if (signer === undefined) return this.#headers;
    return signer
      .proof({ method, url, accessToken: tokens.accessToken })
      .then((dpop) => ({ authorization, dpop }));
  }
}
