import type { Guard, WorkBounds } from '@tenon/mcp-protocol';

/** Headers of a response, names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Why the body of a request was not taken. */
export interface BodyFlaw {
  readonly status: number;
  readonly reason: string;
}

/** The body of a request: its text, a value the application has parsed already, or why there is none. */
export type Body = { readonly text: string } | { readonly value: unknown } | { readonly flaw: BodyFlaw };

/** For a body that something in front has read and not handed on. */
export const readBefore: Body = {
  flaw: { status: 500, reason: 'The body was read before it came here; hand on what was read as { body }.' },
};

/** For a body that is longer than so many bytes. */
export function bodyTooLong(limit: number): Body {
  return { flaw: { status: 413, reason: `The body is longer than ${limit} bytes.` } };
}

/** For a body that was not kept because the bodies under way hold too much. */
export const bodiesTooLarge: Body = {
  flaw: {
    status: 503,
    reason:
      'Request bodies that are not whole hold as many bytes as limits.bodiesPerAddress and limits.bodies allow; try again later.',
  },
};

/**
 * One HTTP request and the way to answer it, whatever runtime carries it. It is answered whole by {@link send}, or as an
 * event stream by {@link open}, {@link write} and {@link end}.
 */
export interface HttpCall {
  readonly method: string;
  /** Path and query as they were sent; of a whole URL without what stands before the path. */
  readonly url: string;
  /** A header with one value that was sent more than once, in lower case. */
  readonly repeated?: string | undefined;
  /** Where it comes from, such as the address of the client; undefined where that is not known. */
  remoteAddress?: string | undefined;
  /** Bytes that the client may leave unread on its connection before it is cut off, beside one message that is larger by itself. */
  unread?: number;
  /** Bounds of the work in flight, for the messages of this request. */
  bounds?: WorkBounds | undefined;
  /** What was asked who is calling; undefined where nobody asks. */
  guard?: Pick<Guard, 'demand'> | undefined;
  /** True once the response is complete, or nobody is there to receive it. */
  readonly closed: boolean;
  /** True once {@link open} was called. */
  readonly streaming: boolean;
  /** Reads a request header by its lower-case name. The host is that of the request target, where that names one. */
  header(name: string): string | undefined;
  /** Adds headers to the response, whichever it will be. */
  addHeaders(headers: Headers): void;
  /**
   * Reads the body whole, then calls `take` once; never when the client goes away first.
   * @param limit - bytes; a longer body is a flaw.
   */
  readBody(limit: number, take: (body: Body) => void): void;
  /** Answers whole. */
  send(status: number, headers: Headers, body?: string): void;
  /** Begins an event stream. */
  open(headers: Headers): void;
  /**
   * Writes to the stream.
   * @returns undefined when more is taken at once, else a promise that resolves when it is; it never rejects.
   */
  write(text: string): Promise<void> | undefined;
  /** Ends the stream. */
  end(text?: string): void;
  /** Calls `task` once if the client goes away before the response is complete. At most one task is kept. */
  onGone(task: () => void): void;
}
