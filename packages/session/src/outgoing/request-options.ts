import type { LogLevel, RequestId } from '@tenon/mcp-protocol';
import type { Progress } from './pending-requests.js';

/** How one request is sent. */
export interface RequestOptions {
  /** Cancels the request; the peer is told. */
  readonly signal?: AbortSignal;
  /** Hears of progress; what it throws is only reported. */
  readonly onProgress?: (progress: Progress) => void;
  /** Asks for progress even when nobody listens, so that it keeps the request alive. Default: only with `onProgress`. */
  readonly progress?: boolean;
  /** Milliseconds of silence allowed; progress starts the count anew. */
  readonly timeout?: number;
  /** Milliseconds allowed in all, whatever progress there is. */
  readonly total?: number;
  /** Nobody is kept waiting by it: it does not keep the process alive. */
  readonly background?: boolean;
  /**
   * Name of the option that sets `timeout`, for the text of a timeout: `timeout` for a call whose caller could set it.
   * Default: `limits.requestTimeout`.
   */
  readonly timeoutOption?: string;
  /** Headers for carriers that have them, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Hears the id the request goes out under, before it does. */
  readonly onId?: (id: RequestId) => void;
  /** Least severe log level wanted, in revisions that ask per request. */
  readonly logLevel?: LogLevel;
}
