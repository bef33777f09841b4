import { AuthError } from '../auth-error.js';
import { boundedBody, type Hop, type HopResponse, type HopSender, partsOf, tooLargeAt } from './hop.js';

/** The part of `fetch` that is used. */
export type OauthFetch = (input: string, init: RequestInit) => Promise<Response>;

/** Returns a sender that uses the given `fetch`. That `fetch` resolves names, so only addresses in URLs are checked. */
export function fetchSender(fetch: OauthFetch, bytes: number): HopSender {
  return async (hop) => {
    const response = await fetchPlainly(fetch, hop);
    const { url } = hop;
    if (response.type === 'opaqueredirect') {
      throw new AuthError('unreachable', `${url.origin} redirects, and this runtime does not say where to.`);
    }
    // A custom fetch may follow redirects in spite of `redirect: 'manual'`.
    if (response.url !== '' && new URL(response.url).origin !== url.origin) {
      await response.body?.cancel();
      throw new AuthError(
        'unreachable',
        `The fetch in the options followed a redirect away from ${url.origin}.`,
      );
    }
    const { status, headers } = response;
    const header = (name: string) => headers.get(name) ?? undefined;
    const length = header('content-encoding') === undefined ? header('content-length') : undefined;
    const body = await boundedBody(partsOf(response), {
      bytes,
      length,
      tooLarge: () => tooLargeAt(url, bytes),
    });
    return { status, header, bytes: body } satisfies HopResponse;
  };
}

/** Fetches; if a browser blocks a GET because of its headers, repeats it with `accept` alone. */
async function fetchPlainly(fetch: OauthFetch, hop: Hop): Promise<Response> {
  const { method, url, headers, body, signal } = hop;
  const init = {
    method,
    redirect: 'manual',
    signal,
    ...(body !== undefined && { body }),
    // Runtimes without cookies reject the option.
    ...(hasCredentials() && { credentials: 'omit' as const }),
  } as const;
  try {
    return await fetch(url.href, { ...init, headers });
  } catch (error) {
    const { accept = '*/*', ...own } = headers;
    const mayBeBlocked = error instanceof TypeError && method === 'GET' && Object.keys(own).length > 0;
    if (!mayBeBlocked || signal.aborted) throw error;
    return await fetch(url.href, { ...init, headers: { accept } });
  }
}

// Called late: reading `Request` makes Node load its fetch.
function hasCredentials(): boolean {
  return typeof Request === 'function' && 'credentials' in Request.prototype;
}
