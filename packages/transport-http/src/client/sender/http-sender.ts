/** Response headers by lower-case name. */
export interface AnswerHeaders {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** One HTTP request to the origin of a sender. */
export interface SenderRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  /** Names and values, alternating. The sender neither keeps nor changes the list. */
  readonly headers: string[];
  readonly body: string | null;
}

/** Receives the response to one HTTP request. Nothing is called after `end` or `failed`. No method throws. */
export interface AnswerSink {
  head(status: number, headers: AnswerHeaders): void;
  chunk(bytes: Uint8Array): void;
  end(): void;
  /** Called when the transport has failed, before or after the head. */
  failed(error: unknown): void;
}

/** Aborts, pauses and resumes one HTTP request in progress. */
export interface RequestControl {
  /** Aborts the request. Its sink is not called any more. */
  abort(): void;
  pause(): void;
  resume(): void;
}

/** Sends HTTP requests to one origin. Does not follow redirects. */
export interface HttpSender {
  request(request: SenderRequest, sink: AnswerSink): RequestControl;
  /** Ends the requests in progress and closes every socket. */
  close(): Promise<void>;
}

/** Settings for the connections of a sender. */
export interface SenderUse {
  /** Milliseconds to wait for a connection. */
  readonly connectWaitMs: number;
}

/** Makes a sender for one origin, such as `https://example.com`. */
export type OpenSender = (origin: string, use: SenderUse) => HttpSender | Promise<HttpSender>;

/** Returns the value of a header, or the first of several values. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/** Returns the media type of a response in lower case, without its parameters. */
export function mediaTypeOf(headers: AnswerHeaders): string | undefined {
  const value = headerOf(headers, 'content-type');
  if (value === undefined || value === 'application/json') return value;
  return value.split(';', 1)[0]?.trim().toLowerCase();
}
