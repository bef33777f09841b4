import type { AuthorizationHeaders, AuthorizedRequest } from '@tenon/mcp-protocol';
import type { DpopSigner } from './dpop-signer.js';
import type { TokenOwner } from './stored-tokens.js';
import type { TokenSet } from './token-set.js';

/** How tokens were come by. */
export type TokenOrigin = 'stored' | 'refreshed' | 'obtained';

/** What makes up {@link HeldTokens}. */
export interface HeldTokensParts {
  readonly tokens: TokenSet;
  readonly owner: TokenOwner;
  /** Undefined where they are not bound to a key. */
  readonly signer: DpopSigner | undefined;
  readonly origin: TokenOrigin;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds before it expires that a token is replaced. */
  readonly skew: number;
}

/** Tokens in memory, ready to be sent. */
export class HeldTokens {
  readonly tokens: TokenSet;
  readonly owner: TokenOwner;
  readonly origin: TokenOrigin;
  /** Since when they are held, in milliseconds since 1970. */
  readonly since: number;
  /** The value of `Authorization`. */
  readonly authorization: string;
  /** When they were refused although they were new, in milliseconds since 1970. */
  refusedAt: number | undefined;
  /** Undefined where they are not bound to a key. */
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
    // Of a token that lives shorter than the skew, half its life is used.
    this.#dueAt = expiresAt - Math.max(0, Math.min(skew, (expiresAt - now) / 2));
    this.#renewAt = this.#dueAt;
  }

  /** When to look for others, in milliseconds since 1970. */
  get renewAt(): number {
    return this.#renewAt;
  }

  /** Has others looked for again when some time has passed, or the token is good no more. */
  postpone(until: number): void {
    this.#renewAt = Math.min(until, this.tokens.expiresAt ?? until);
  }

  /** Takes back what {@link postpone} did. @returns false when others are to be looked for now. */
  resume(now: number): boolean {
    this.#renewAt = this.#dueAt;
    return now < this.#dueAt;
  }

  /** Scopes that the token has, as far as anybody said. */
  get scopes(): readonly string[] {
    return this.tokens.scopes ?? this.tokens.requested ?? [];
  }

  isExpired(now: number): boolean {
    return (this.tokens.expiresAt ?? Number.POSITIVE_INFINITY) <= now;
  }

  /** The headers of one request; at once where no key has to be proved. */
  headersFor({ method, url }: AuthorizedRequest): AuthorizationHeaders | Promise<AuthorizationHeaders> {
    const { authorization, signer, tokens } = this;
    if (signer === undefined) return this.#headers;
    return signer
      .proof({ method, url, accessToken: tokens.accessToken })
      .then((dpop) => ({ authorization, dpop }));
  }
}
