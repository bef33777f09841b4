import { digestOf, isSecret, randomSecret } from './secrets.js';

/** A browser, identified by the secret in its cookie. */
export interface Browser {
  /** The hash of the secret. */
  readonly id: string;
  /** `Set-Cookie` for a browser without a secret. */
  readonly cookie: string | undefined;
}

/** The name and the attributes of the cookie. */
interface BrowserCookie {
  readonly name: string;
  readonly attributes: string;
}

// Only this host can set a cookie with this prefix, over https and for all its paths. Lax, so that the browser sends the
// cookie when it returns from the sign-in.
const overHttps: BrowserCookie = {
  name: '__Host-mcp-browser',
  attributes: 'Path=/; Secure; HttpOnly; SameSite=Lax',
};

// Most browsers ignore a cookie with the prefix on http://localhost, so that the user could never sign in.
const onThisMachine: BrowserCookie = { name: 'mcp-browser', attributes: 'Path=/; HttpOnly; SameSite=Lax' };

/**
 * Identifies the browser of a request; a new browser gets a secret.
 * @param url - the URL of the pages, as the browser uses it.
 */
export function browserOf(request: Request, url: URL): Browser {
  const { name, attributes } = url.protocol === 'https:' ? overHttps : onThisMachine;
  const known = secretIn(request.headers.get('cookie') ?? '', name);
  if (known !== undefined) return { id: digestOf(known), cookie: undefined };
  const secret = randomSecret();
  return { id: digestOf(secret), cookie: `${name}=${secret}; ${attributes}` };
}

function secretIn(cookies: string, name: string): string | undefined {
  const values = cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  // Two cookies of this name cannot come from a browser that applies the rules of the prefix.
  return values.length === 1 && isSecret(values[0]) ? values[0] : undefined;
}
