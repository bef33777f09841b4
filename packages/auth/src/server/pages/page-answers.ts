/** Why a page is not shown. */
export type PageRefusal =
  /** It is not there: it was used, its time is over, or the address is not the one that was given out. */
  | 'gone'
  /** It was made for somebody else than who opens it. */
  | 'another-user'
  /** It was opened before, in another browser. */
  | 'another-browser'
  /** Nobody knows who opens it. */
  | 'not-identified'
  /** Signing in did not work. */
  | 'sign-in-failed'
  /** The form was sent from a page of somebody else. */
  | 'cross-site';

interface Told {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const refusals: Readonly<Record<PageRefusal, Told>> = {
  gone: {
    status: 410,
    title: 'This page is no longer there',
    text: 'It has been used, or its time is over. Go back to the program that sent you here, and start again.',
  },
  'another-user': {
    status: 403,
    title: 'This page is not for you',
    text: 'It was made for another user, and nothing has been done. If somebody gave you the address, do not follow his instructions. If it was you who asked for the page, open the address in a private window and sign in there as the same user.',
  },
  'another-browser': {
    status: 403,
    title: 'This page was opened elsewhere',
    text: 'It can be used in the browser alone in which it was opened first. Go back to the program that sent you here, and start again.',
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
    title: 'This did not come from our page',
    text: 'Nothing has been done. Go back to the program that sent you here, and start again.',
  },
};

/** Tells the user why a page is not shown. Nothing of the request is in it. */
export function refusalPage(reason: PageRefusal): Response {
  const { status, title, text } = refusals[reason];
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
const leastPolicy = "frame-ancestors 'none'; base-uri 'none'";

/**
 * The answer as it may go out: kept by nobody, shown in no frame, and without its address being told to whom it leads. A policy of its
 * own stands, and what is said here besides.
 */
export function guardedAnswer(answer: Response, cookie: string | undefined): Response {
  const headers = new Headers(answer.headers);
  const own = headers.has('content-security-policy');
  headers.append('content-security-policy', own ? leastPolicy : pagePolicy);
  headers.set('x-frame-options', 'DENY');
  headers.set('cache-control', 'no-store');
  // Forms of the page itself still say where they come from.
  headers.set('referrer-policy', 'same-origin');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('cross-origin-opener-policy', 'same-origin');
  if (cookie !== undefined) headers.append('set-cookie', cookie);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
