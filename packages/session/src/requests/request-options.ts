import type { LogLevel, RequestId, UnknownObject } from '@tenon/mcp-protocol';

/** The progress of a request, as its peer reports it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options of one request. */
export interface RequestOptions {
  /** Cancels the request, and notifies the peer. */
  readonly signal?: AbortSignal;
  /** Receives progress; its errors are only reported. */
  readonly onProgress?: (progress: Progress) => void;
  /** Requests progress without a listener, so that it keeps the request alive. Default: only with `onProgress`. */
  readonly progress?: boolean;
  /**
   * Called with a result: progress that arrives after it is received until the returned signal aborts, for work that goes on after its
   * answer. Default: progress ends with the answer.
   */
  readonly prolong?: (result: UnknownObject) => AbortSignal | undefined;
  /** Milliseconds of silence allowed; progress restarts the count. */
  readonly timeout?: number;
  /** Milliseconds allowed in total, progress or not. */
  readonly total?: number;
  /** True if it does not keep the process alive. */
  readonly background?: boolean;
  /**
   * Name of the option that sets `timeout`, for the text of a timeout: `timeout` for a call with that option.
   * Default: `limits.requestTimeout`.
   */
  readonly timeoutOption?: string;
  /** True if the call that the request belongs to has been through the middleware. */
  readonly pastMiddleware?: boolean;
  /** Headers for transports that have them, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives the id of the request before it is sent. */
  readonly onId?: (id: RequestId) => void;
  /** The least severe log level, in revisions with a level per request. */
  readonly logLevel?: LogLevel;
}
