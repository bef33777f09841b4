import type { JsonObject, Principal } from '@tenon/mcp-protocol';

/** What brings the user to the page. */
export type VisitStep =
  /** The address was opened. */
  | 'opened'
  /** A form of the page was sent to its own address. */
  | 'submitted'
  /** The user comes back from where the page sent him; see {@link PageVisit.expectReturn}. */
  | 'returned';

/** A visit of the very user for whom the page was made, in the browser in which he opened it. */
export interface PageVisit {
  readonly step: VisitStep;
  /** Whose page it is, and who is there: they are the same. */
  readonly principal: Principal;
  /** What was given when the page was made. */
  readonly data: JsonObject;
  readonly request: Request;
  /**
   * The fields of the form that was submitted.
   * @throws FormError for one that is larger than it may be, and for another kind of body.
   */
  form(): Promise<URLSearchParams>;
  /**
   * Ends the page: nothing opens it again. Whatever the user gave counts only for the one who is told true, since two forms
   * may be sent at the same time.
   */
  finish(): Promise<boolean>;
  /**
   * Prepares for the user to be sent elsewhere and to come back, such as to an authorization server of a third party.
   * @returns where he comes back to, and the `state` that he has to bring along, once, in the same browser.
   */
  expectReturn(): Promise<{ readonly redirectUri: string; readonly state: string }>;
}
