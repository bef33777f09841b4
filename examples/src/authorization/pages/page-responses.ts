/** The reason why a page is not shown. */
export type PageRefusal =
  /** The page does not exist: it was used, it has expired, or its URL is wrong. */
  | 'gone'
  /** The page was made for another user. */
  | 'another-user'
  /** The page was opened before in another browser. */
  | 'another-browser'
  /** The user is unknown. */
  | 'not-identified'
  /** The sign-in failed. */
  | 'sign-in-failed'
  /** The form was sent from a page of another site. */
  | 'cross-site';

interface RefusalText {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const refusals: Readonly<Record<PageRefusal, RefusalText>> = {
  gone: {
    status: 410,
    title: 'This page is no longer there',
    text: 'It has been used, or it has expired. Go back to the program that sent you here, and start again.',
  },
  'another-user': {
    status: 403,
    title: 'This page is not for you',
    text: 'It was made for another user, and nothing has been done. If another person gave you the address, do not follow their instructions. If you requested the page yourself, open the address in a private window and sign in there as the same user.',
  },
  'another-browser': {
    status: 403,
    title: 'This page was opened elsewhere',
    text: 'It can be used only in the browser in which it was opened first. Go back to the program that sent you here, and start again.',
  },
  'not-identified': {
    status: 403,
    title: 'Sign in first',
    text: 'Sign in to this service in this browser. Then open the address again.',
  },
  'sign-in-failed': {
    status: 400,
    title: 'Signing in did not work',
    text: 'Nothing has been done. Go back to the program that sent you here, and start again.',
  },
  'cross-site': {
    status: 403,
    title: 'This form was not sent from our page',
    text: 'Nothing has been done. Go back to the program that sent you here, and start again.',
  },
};

/** Returns the page that tells the user why a page is not shown. It contains no part of the request. */
export function refusalResponse(reason: PageRefusal): Response {
  const { status, title, text } = refusals[reason];
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
const leastPolicy = "frame-ancestors 'none'; base-uri 'none'";

/**
 * Returns a response with headers that prevent caching, frames, and referrers to other sites. A `Content-Security-Policy` of
 * the response stays, with a further one.
 */
export function guardedResponse(answer: Response, cookie: string | undefined): Response {
  const headers = new Headers(answer.headers);
  const own = headers.has('content-security-policy');
  headers.append('content-security-policy', own ? leastPolicy : pagePolicy);
  headers.set('x-frame-options', 'DENY');
  headers.set('cache-control', 'no-store');
  // Not `no-referrer`, so that forms of the page itself send their origin.
  headers.set('referrer-policy', 'same-origin');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('cross-origin-opener-policy', 'same-origin');
  if (cookie !== undefined) headers.append('set-cookie', cookie);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
