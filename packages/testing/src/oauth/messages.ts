import type { JsonObject } from '@tenon/mcp-protocol';

/** An endpoint of a test authorization server. */
export type TestEndpoint =
  | 'page'
  | 'metadata'
  | 'jwks'
  | 'authorize'
  | 'consent'
  | 'token'
  | 'register'
  | 'introspect'
  | 'revoke'
  | 'device'
  | 'verify'
  | 'other';

/** A request to a test authorization server, secrets included. */
export interface RecordedRequest {
  readonly endpoint: TestEndpoint;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of the form, or of the query; the first value of a repeated one. */
  readonly params: Readonly<Record<string, string>>;
  /** The JSON of the body, if it is an object. */
  readonly json: JsonObject | undefined;
  /** The body as it was sent. */
  readonly body: string;
  /** Time of arrival, in milliseconds since 1970. */
  readonly at: number;
}

/** A token request of a known client. */
export interface TokenRequest extends RecordedRequest {
  readonly endpoint: 'token';
  readonly grantType: string;
  /** Undefined if only an assertion identifies the caller. */
  readonly clientId: string | undefined;
}

/** A valid authorization request. */
export interface RecordedAuthorizationRequest extends RecordedRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

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

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }

  get answer(): TestAnswer {
    if (this.error !== 'invalid_client') return oauthError(this.error, this.message);
    const headers = { 'www-authenticate': 'Basic realm="token endpoint"' };
    return { ...oauthError(this.error, this.message, 401), headers };
  }
}

/** @throws OauthProblem unless the condition holds */
export function check(holds: unknown, error: string, description: string): asserts holds {
  if (!holds) throw new OauthProblem(error, description);
}

/** Returns an OAuth error as a value; throws any other. For use in `catch`. */
export function problemIn(cause: unknown): OauthProblem {
  if (cause instanceof OauthProblem) return cause;
  throw cause;
}

/** Returns the members that are not undefined. */
export function defined<T>(members: { readonly [name: string]: T | undefined }): {
  readonly [name: string]: T;
} {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => entry[1] !== undefined));
}

/** Returns a function for `catch` that throws an OAuth error with the reason of another error. */
export function rejectAs(error: string, prefix: string): (cause: unknown) => never {
  return (cause) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OauthProblem(error, `${prefix}: ${reason}`);
  };
}
