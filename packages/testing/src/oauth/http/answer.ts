import type { JsonObject } from '@tenon/mcp-protocol';

/** A response of a test authorization server. */
export interface TestAnswer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: string | JsonObject;
}

/**
 * The response of a hook: `hang-up` closes the connection without a response, undefined leaves the response to the server.
 */
export type HookAnswer = TestAnswer | 'hang-up' | undefined;

/**
 * Returns the error response of OAuth endpoints, for use in hooks.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 * @param error - such as `invalid_grant`
 */
export function oauthError(error: string, description?: string, status = 400): TestAnswer {
  return { status, body: defined({ error, error_description: description }) };
}

/** A rejected request, as an OAuth error. */
export class OauthProblem extends Error {
  override readonly name: string = 'OauthProblem';
  /** Such as `invalid_grant`. */
  readonly error: string;
  readonly answer: TestAnswer;

  constructor(error: string, description: string, headers: Readonly<Record<string, string>> = {}) {
    super(description);
    this.error = error;
    const status = error === 'invalid_client' ? 401 : 400;
    this.answer = { ...oauthError(error, description, status), headers };
  }
}

/** Makes the error of a rejection from its reason. */
export type Rejection = (reason: string) => OauthProblem;

/** Returns a function that makes the errors of one kind of rejection. */
export function rejectionOf(error: string, subject: string): Rejection {
  return (reason) => new OauthProblem(error, `${subject} is rejected: ${reason}.`);
}

/** Returns the members that are not undefined. */
export function defined<T>(members: { readonly [name: string]: T | undefined }): {
  readonly [name: string]: T;
} {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => entry[1] !== undefined));
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
