import { AuthError } from '../auth-error.js';
import { boundedText } from './bounded-text.js';
import type { Hop, HopAnswer, HopSender } from './hop.js';

/** The part of `fetch` that is used. */
export type OauthFetch = (input: string, init: RequestInit) => Promise<Response>;

/** A sender on any `fetch`. Names are looked up by whoever gave it: only the addresses in URLs have been checked. */
export function fetchSender(fetch: OauthFetch, bytes: number): HopSender {
  return async (hop) => {
    const response = await fetchPlainly(fetch, hop);
    const { url } = hop;
    if (response.type === 'opaqueredirect') {
      throw new AuthError('unreachable', `${url.origin} redirects, and this runtime does not tell where to.`);
    }
    // A fetch of somebody's own may follow redirects whatever it is told.
    if (response.url !== '' && new URL(response.url).origin !== url.origin) {
      await response.body?.cancel();
      throw new AuthError(
        'unreachable',
        `The fetch that was given followed a redirect away from ${url.origin}.`,
      );
    }
    const { status, headers } = response;
    const header = (name: string) => headers.get(name) ?? undefined;
    const length = header('content-encoding') === undefined ? header('content-length') : undefined;
    const text = await boundedText(partsOf(response), { bytes, url, length });
    return { status, header, text } satisfies HopAnswer;
  };
}

/** Fetches; where a browser does not let headers of one's own be sent, without them. */
async function fetchPlainly(fetch: OauthFetch, hop: Hop): Promise<Response> {
  const { method, url, headers, body, signal } = hop;
  const init = {
    method,
    redirect: 'manual',
    signal,
    ...(body !== undefined && { body }),
    // Some runtimes have no cookies, and refuse to be told about them.
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

// Asked late: the mere mention of `Request` has Node load its fetch.
function hasCredentials(): boolean {
  return typeof Request === 'function' && 'credentials' in Request.prototype;
}

async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  let over = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      over = done;
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever reads no further wants no more of it.
    if (!over) await reader.cancel();
  }
}
