/** Response headers by their lower-case name. */
export interface AnswerHeaders {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** One HTTP request to the origin a sender was made for. */
export interface SenderRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  /** Names and values in turn. Not kept and not changed. */
  readonly headers: string[];
  readonly body: string | null;
}

/** Receives the response to one HTTP request. Nothing follows `end` or `failed`. No method throws. */
export interface AnswerSink {
  head(status: number, headers: AnswerHeaders): void;
  chunk(bytes: Uint8Array): void;
  end(): void;
  /** The transport failed, before the head or after it. */
  failed(error: unknown): void;
}

/** One HTTP request under way. */
export interface HttpExchange {
  /** Gives up the request. Its sink is not called any more. */
  abort(): void;
  pause(): void;
  resume(): void;
}

/** Sends HTTP requests to one origin. Redirects are not followed. */
export interface HttpSender {
  request(request: SenderRequest, sink: AnswerSink): HttpExchange;
  /** Ends the requests that are under way and closes every socket. */
  close(): Promise<void>;
}

/** How the connections of a sender are made. */
export interface SenderUse {
  /** Milliseconds to wait for a connection. */
  readonly connectWaitMs: number;
}

/** Makes a sender for one origin, such as `https://example.com`. */
export type OpenSender = (origin: string, use: SenderUse) => HttpSender | Promise<HttpSender>;

/** The value of a header; the first where there are several. */
export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/** The media type of an answer in lower case, without its parameters. */
export function mediaTypeOf(headers: AnswerHeaders): string | undefined {
  const value = headerOf(headers, 'content-type');
  if (value === undefined || value === 'application/json') return value;
  return value.split(';', 1)[0]?.trim().toLowerCase();
}
