import { toBase64Url } from '../../base64url.js';
import { digestOf } from '../../client/digest.js';

/** One browser, known by a secret that it alone has. */
export interface Browser {
  /** What it is known by here: the digest of its secret. */
  readonly id: string;
  /** `Set-Cookie` for a browser that has no secret yet. */
  readonly cookie: string | undefined;
}

/** The cookie of pages that are at an address. */
interface BrowserCookie {
  readonly name: string;
  readonly attributes: string;
}

// A name with this prefix can be set by this very host alone, over https, for all of its paths. Lax: the browser comes back
// from where the user signs in.
const overHttps: BrowserCookie = {
  name: '__Host-mcp-browser',
  attributes: 'Path=/; Secure; HttpOnly; SameSite=Lax',
};

// Most browsers keep no such cookie of http://localhost, and without one nobody would ever be signed in.
const onThisMachine: BrowserCookie = { name: 'mcp-browser', attributes: 'Path=/; HttpOnly; SameSite=Lax' };

/** A secret that nobody can guess, as text. */
export function randomSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether a text may be a {@link randomSecret}. */
export function isSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/**
 * The browser that sent a request; one that is not known gets a secret.
 * @param url - where the pages are, as the browser sees it.
 */
export async function browserOf(request: Request, url: URL): Promise<Browser> {
  const { name, attributes } = url.protocol === 'https:' ? overHttps : onThisMachine;
  const known = secretIn(request.headers.get('cookie') ?? '', name);
  if (known !== undefined) return { id: await digestOf(known), cookie: undefined };
  const secret = randomSecret();
  return { id: await digestOf(secret), cookie: `${name}=${secret}; ${attributes}` };
}

function secretIn(cookies: string, name: string): string | undefined {
  const values = cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  // Two of them come from no browser that keeps the rules of the prefix.
  return values.length === 1 && isSecret(values[0]) ? values[0] : undefined;
}
