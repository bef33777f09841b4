import type { Clock, JsonObject, Principal } from '@tenon/mcp-server';
import type { PageStore } from './page-store.js';

/** The reason of a visit. */
export type VisitStep =
  /** The user opened the URL. */
  | 'opened'
  /** The user submitted a form of the page. */
  | 'submitted'
  /** The user returns from another site; see {@link PageVisit.expectReturn}. */
  | 'returned';

/** A visit by the user that the page was made for, in the browser in which the page was opened. */
export interface PageVisit {
  readonly step: VisitStep;
  /** The user, who is also the owner of the page. */
  readonly principal: Principal;
  /** The data that the page was made with. */
  readonly data: JsonObject;
  readonly request: Request;
  /**
   * Returns the fields of the submitted form.
   * @throws FormError if it is too large, or if the body has another type.
   */
  form(): Promise<URLSearchParams>;
  /**
   * Ends the page, so that it cannot be opened again. Use the input of the user only if this returns true, because two forms may
   * be submitted at the same time.
   */
  finish(): Promise<boolean>;
  /**
   * Prepares a redirect of the user to another site and back, such as to the authorization server of a third party.
   * @returns the URL to return to, and a `state` for it that can be used once, in the same browser.
   */
  expectReturn(): Promise<{ readonly redirectUri: string; readonly state: string }>;
}

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
   * @throws SignInError if the sign-in failed.
   */
  answer?(visitor: Visitor): Promise<Response | undefined>;
}

/** The parts of the pages that visitors may use. */
export interface PagesContext {
  /** The URL of the pages. */
  readonly url: URL;
  readonly store: PageStore;
  /** The time of day: `now()` is milliseconds since 1970. */
  readonly clock: Clock;
}

/** The error of a failed sign-in. Its text contains no token, code or secret. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}
