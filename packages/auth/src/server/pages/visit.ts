import type { JsonObject, Principal } from '@tenon/mcp-protocol';

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
