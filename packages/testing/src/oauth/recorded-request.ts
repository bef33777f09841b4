import type { JsonObject } from '@tenon/mcp-protocol';

/** What of a test authorization server was asked. */
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
  | 'other';

/** One request that a test authorization server was sent, secrets included. */
export interface RecordedRequest {
  readonly endpoint: TestEndpoint;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of the form, or of the query; of one that is repeated, the first. */
  readonly params: Readonly<Record<string, string>>;
  /** The JSON of the body, where it is an object. */
  readonly json: JsonObject | undefined;
  /** The body as it was sent. */
  readonly body: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** A token request whose client is known. */
export interface TokenRequest extends RecordedRequest {
  readonly endpoint: 'token';
  readonly grantType: string;
  /** Undefined where an assertion alone says who asks. */
  readonly clientId: string | undefined;
}

/** An authorization request that was found in order. */
export interface RecordedAuthorizationRequest extends RecordedRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}
