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
