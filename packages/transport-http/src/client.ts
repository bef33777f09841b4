import type { Clock } from '@tenon/foundation';
import type { Authorizer } from '@tenon/mcp-protocol';
import { HttpConnection } from './client/connection/http-connection.js';
import { type HttpClientLimits, httpClientBoundsOf } from './client/request/http-limits.js';
import { type HeaderSource, requireHeaders } from './client/request/user-headers.js';
import { requireSenderChoice, type SenderChoice, senderOf } from './client/sender/sender-choice.js';

export type { HttpConnection } from './client/connection/http-connection.js';
export type { HttpClientLimits } from './client/request/http-limits.js';
export type { HeaderSource } from './client/request/user-headers.js';
export type { Fetch } from './client/sender/fetch-sender.js';
export type {
  AnswerHeaders,
  AnswerSink,
  HttpSender,
  OpenSender,
  RequestControl,
  SenderRequest,
  SenderUse,
} from './client/sender/http-sender.js';
export type { SenderChoice } from './client/sender/sender-choice.js';

/** Settings for connecting to a server over HTTP. */
export interface HttpConnectionOptions extends SenderChoice {
  /** Headers of every HTTP request, such as `authorization`. A function is called before each request. */
  readonly headers?: HeaderSource | undefined;
  /** Authorizes every HTTP request, and is called when the server rejects the authorization. */
  readonly authorizer?: Authorizer | undefined;
  readonly limits?: Partial<HttpClientLimits> | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 up to 1, for jitter. */
  readonly random?: (() => number) | undefined;
}

/**
 * Returns the URL of a server.
 * @throws TypeError unless it is an http or https URL without credentials.
 */
export function requireHttpUrl(given: string | URL): URL {
  let url: URL;
  try {
    url = new URL(given);
  } catch (cause) {
    throw new TypeError('This is not a URL: give one such as "https://example.com/mcp".', { cause });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`A server is reached by an http: or https: URL, not by ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('A URL must not hold a user name or password: give them in the option headers.');
  }
  return url;
}

/**
 * Returns a function that makes connections to one URL. A connection sends nothing before its first frame.
 * @throws TypeError or RangeError if the URL or an option is invalid.
 */
export function openHttp(
  given: string | URL,
  options: HttpConnectionOptions = {},
): () => Promise<HttpConnection> {
  const url = requireHttpUrl(given);
  const { headers, authorizer, clock, random } = options;
  const limits = httpClientBoundsOf(options.limits);
  requireHeaders(headers, authorizer);
  requireSenderChoice(options);
  return async () => {
    const sender = await senderOf(url.origin, options, limits);
    return new HttpConnection({ url, sender, limits, headers, authorizer, clock, random });
  };
}
