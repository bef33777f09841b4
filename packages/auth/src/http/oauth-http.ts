/** One HTTP request to a server that authorization has to do with. */
export interface OauthRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** What it answered, whole. */
export interface OauthAnswer {
  readonly status: number;
  /** Media type in lower case without parameters; empty where there is none. */
  readonly mediaType: string;
  /** Reads a header by its lower-case name. */
  header(name: string): string | undefined;
  readonly text: string;
}

/**
 * Sends requests whose addresses came from a peer: bounded in time and size, only to addresses that may be reached, and
 * never where a redirect leads without looking.
 */
export interface OauthHttp {
  /** @throws AuthError `forbidden-address` or `unreachable`; any HTTP status is an answer. */
  send(request: OauthRequest): Promise<OauthAnswer>;
  /**
   * Looks at an address as it is written, such as one that a browser is going to be sent to; names are not looked up.
   * @throws AuthError `forbidden-address`
   */
  check?(url: URL): Promise<void>;
}
