import type { EventPort, Guard, Principal, WorkBounds } from '@tenon/mcp-protocol';

/** Headers of a response, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The status and reason for rejecting the body of a request. */
export interface BodyProblem {
  readonly status: number;
  readonly reason: string;
}

/** The body of a request: its text, a value the application has parsed already, or the reason why there is none. */
export type Body =
  | { readonly text: string }
  | { readonly value: unknown }
  | { readonly problem: BodyProblem };

/** The body if something in front has read it and did not pass it on. */
export const readBefore: Body = {
  problem: {
    status: 500,
    reason:
      'The body was read before this handler ran. Pass the value on in request.body, as express.json() does, or as { body } of serve().',
  },
};

/** Returns the body of a request that is longer than the limit in bytes. */
export function bodyTooLong(limit: number): Body {
  return { problem: { status: 413, reason: `The body is longer than ${limit} bytes.` } };
}

/** The body of a request that was not kept because the incomplete bodies hold too many bytes. */
export const bodiesTooLarge: Body = {
  problem: {
    status: 503,
    reason:
      'Incomplete request bodies hold as many bytes as one address, or all together (limits.bodies), may; try again later.',
  },
};

/**
 * One HTTP request and its response, independent of the runtime. The response is sent whole by {@link send}, or as an event
 * stream by {@link open}, {@link write} and {@link end}.
 */
export interface HttpCall {
  readonly method: string;
  /** Path and query as sent. If the request target is a whole URL, the part before the path is left out. */
  readonly url: string;
  /** The lower-case name of a single-value header that was sent more than once. */
  readonly repeated?: string | undefined;
  /** The origin of the request for counting, such as the address of the client; undefined if it is not known. */
  remoteAddress?: string | undefined;
  /**
   * Bytes that the client may leave unread on its connection before it is cut off, beside one message that is larger by
   * itself.
   */
  unread?: number;
  /** Limits of the running requests, for the messages of this request. */
  bounds?: WorkBounds | undefined;
  /** The caller that was authenticated. Set before the body is read. */
  principal?: Principal | undefined;
  /** The guard that authenticated the caller; undefined if nothing authenticates callers. */
  guard?: Pick<Guard, 'demand'> | undefined;
  /** Receives the refusal of the request; undefined without a listener. */
  readonly serverEvents?: EventPort | undefined;
  /** True if the response is complete, or the client has disconnected. */
  readonly closed: boolean;
  /** True after {@link open} was called. */
  readonly streaming: boolean;
  /** Returns a request header by its lower-case name. The host of the request target replaces the Host header. */
  header(name: string): string | undefined;
  /** Adds headers to the response, whatever its status. */
  addHeaders(headers: Headers): void;
  /**
   * Reads the whole body, then calls `take` once. Never calls `take` if the client disconnects first.
   * @param limit - bytes; a longer body is a problem.
   */
  readBody(limit: number, take: (body: Body) => void): void;
  /** Sends the whole response. */
  send(status: number, headers: Headers, body?: string): void;
  /** Starts an event stream. */
  open(headers: Headers): void;
  /**
   * Writes to the stream.
   * @returns undefined if more can be written at once, else a promise that resolves when it can. The promise never
   * rejects.
   */
  write(text: string): Promise<void> | undefined;
  /** Ends the stream. */
  end(text?: string): void;
  /** Calls `task` once if the client disconnects before the response is complete. Keeps at most one task. */
  onGone(task: () => void): void;
}
