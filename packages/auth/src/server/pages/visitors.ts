import type { Clock } from '@tenon/foundation';
import type { Principal } from '@tenon/mcp-protocol';
import type { PageStore } from './page-store.js';

/** A request for a page, with the browser that sent it. */
export interface Visitor {
  readonly request: Request;
  /** Identifies the browser; not the secret of its cookie. */
  readonly browser: string;
}

/** Identifies the user of a browser. */
export interface Visitors {
  /**
   * Returns the user, with the same issuer and id as the token verifier; undefined if the user is unknown. Use only data that
   * another person cannot have given to the user, such as a session cookie: nothing from the URL.
   */
  identify(visitor: Visitor): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Sends the user to sign in and back to the page. Without this function, an unknown user is asked to sign in first.
   * @param page - the URL of the page, and the owner of entries in the store.
   */
  signIn?(
    visitor: Visitor,
    page: { readonly url: URL; readonly owner: string },
  ): Response | Promise<Response>;
  /**
   * Answers requests to its own URLs, such as the redirect URI; undefined for all others.
   * @throws AuthError if the sign-in failed.
   */
  answer?(visitor: Visitor): Promise<Response | undefined>;
}

/** The parts of the pages that visitors may use. */
export interface PagesContext {
  /** The URL of the pages. */
  readonly url: URL;
  readonly store: PageStore;
  readonly clock: Clock;
}
