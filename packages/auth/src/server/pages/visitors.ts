import type { Clock, Principal } from '@tenon/mcp-protocol';
import type { PageStore } from './page-store.js';

/** A request for a page, and whose browser sent it. */
export interface Visitor {
  readonly request: Request;
  /** Names the browser; not the secret it is known by. */
  readonly browser: string;
}

/** Tells who uses a browser. */
export interface Visitors {
  /**
   * The user, by issuer and id as the verifier of tokens names him; undefined while nobody knows. It trusts only what the user
   * cannot have been given by somebody else, such as the cookie of a session: never anything of the address.
   */
  identify(visitor: Visitor): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Has the user sign in, and come back to the page after it. Without it, a user who is not known is told to sign in first.
   * @param page - address of the page.
   * @param owner - on whose account something may be kept.
   */
  signIn?(
    visitor: Visitor,
    page: { readonly url: URL; readonly owner: string },
  ): Response | Promise<Response>;
  /**
   * Answers a request at one of its own addresses, such as the one users come back to; undefined for all others. It rejects with an AuthError when signing
   * in did not work.
   */
  answer?(visitor: Visitor): Promise<Response | undefined>;
}

/** What visitors that are part of pages may use of them. */
export interface PagePlace {
  /** Where the pages are. */
  readonly url: URL;
  readonly store: PageStore;
  readonly clock: Clock;
}
