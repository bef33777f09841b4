/** Milliseconds for one request, redirects included. */
export const answerTimeout = 10_000;

/** One HTTP request to an authorization server, or for a document about one. */
export interface OauthRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** False to return a redirect instead of following it. A POST follows none in any case. */
  readonly redirects?: false;
  readonly signal?: AbortSignal | undefined;
}

/** A request of any method, with a body of text or bytes. */
export interface SafeRequest extends Omit<OauthRequest, 'method' | 'body'> {
  readonly method: string;
  readonly body?: string | Uint8Array | undefined;
}

/** The complete response to an {@link OauthRequest}. */
export interface OauthResponse {
  readonly status: number;
  /** Media type in lower case without parameters; empty if the response has none. */
  readonly mediaType: string;
  /** Reads a header by its lower-case name. */
  header(name: string): string | undefined;
  readonly text: string;
}

/** The complete response to a {@link SafeRequest}. */
export interface SafeResponse extends OauthResponse {
  /** The body; `text` is the same as UTF-8. */
  readonly bytes: Uint8Array;
}

/**
 * Sends requests to URLs that came from a peer: bounded in time and size, only to permitted addresses, and with every
 * redirect checked.
 */
export interface OauthHttp {
  /** @throws AuthError `forbidden-address` or `unreachable`; a response with any HTTP status resolves. */
  send(request: OauthRequest): Promise<OauthResponse>;
  /**
   * Checks a URL as it is written, such as one that a browser is going to open; names are not resolved.
   * @throws AuthError `forbidden-address`
   */
  check?(url: URL): Promise<void>;
}

/** An {@link OauthHttp} that sends requests of any method, and returns the bytes of responses. */
export interface SafeHttp extends OauthHttp {
  send(request: SafeRequest): Promise<SafeResponse>;
}
