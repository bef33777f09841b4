import type { Authorizer, Clock } from '@tenon/mcp-protocol';
import { HttpConnection } from './connection/http-connection.js';
import { type HttpClientLimits, httpLimitsOf } from './connection/http-limits.js';
import { flatHeaders, type HeaderSource } from './request/user-headers.js';
import { requireSenderChoice, type SenderChoice, senderOf } from './sender-choice.js';

/** How a server is reached over HTTP. */
export interface HttpConnectionOptions extends SenderChoice {
  /** Headers of every HTTP request, such as `authorization`; a function is asked before each. */
  readonly headers?: HeaderSource | undefined;
  /** Authorizes every HTTP request, and hears when the server wants other authorization. */
  readonly authorizer?: Authorizer | undefined;
  readonly limits?: Partial<HttpClientLimits> | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: (() => number) | undefined;
}

/**
 * The URL of a server.
 * @throws TypeError unless it is an http or https URL without credentials in it.
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
 * Makes connections to one URL. Nothing is sent before a frame is.
 * @throws TypeError or RangeError for a URL or options that make no sense.
 */
export function openHttp(
  given: string | URL,
  options: HttpConnectionOptions = {},
): () => Promise<HttpConnection> {
  const url = requireHttpUrl(given);
  const { headers, authorizer, clock, random } = options;
  const limits = httpLimitsOf(options.limits);
  requireHeaders(headers, authorizer);
  requireSenderChoice(options);
  return async () => {
    const sender = await senderOf(url.origin, options, limits);
    return new HttpConnection({ url, sender, limits, headers, authorizer, clock, random });
  };
}

/** @throws TypeError for headers that are not the application's to set, and for two sources of authorization. */
export function requireHeaders(headers: HeaderSource | undefined, authorizer: Authorizer | undefined): void {
  if (typeof headers === 'function') return;
  const flat = flatHeaders(headers ?? {});
  if (authorizer !== undefined && flat.includes('authorization')) {
    throw new TypeError('Give either auth, or the header "authorization"; not both.');
  }
}
