import { type Clock, withDefaults } from '@tenon/foundation';
import type { Authorizer } from '@tenon/mcp-protocol';
import { HttpConnection } from './connection/http-connection.js';
import { defaultHttpClientLimits, type HttpClientLimits } from './connection/http-limits.js';
import { flatHeaders, type HeaderSource } from './request/user-headers.js';
import { requireSenderChoice, type SenderChoice, senderOf } from './sender-choice.js';

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
  const limits = withDefaults(defaultHttpClientLimits, options.limits);
  requireHeaders(headers, authorizer);
  requireSenderChoice(options);
  return async () => {
    const sender = await senderOf(url.origin, options, limits);
    return new HttpConnection({ url, sender, limits, headers, authorizer, clock, random });
  };
}

/**
 * @throws TypeError if the headers include one that only the transport may set, or if there are two sources of
 * authorization.
 */
export function requireHeaders(headers: HeaderSource | undefined, authorizer: Authorizer | undefined): void {
  if (typeof headers === 'function') return;
  const flat = flatHeaders(headers ?? {});
  if (authorizer !== undefined && flat.includes('authorization')) {
    throw new TypeError('Give either auth, or the header "authorization"; not both.');
  }
}
