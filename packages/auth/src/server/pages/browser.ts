import { base64url } from 'jose';
import { digestOf } from '../../client/digest.js';

/** One browser, known by a secret that it alone has. */
export interface Browser {
  /** What it is known by here: the digest of its secret. */
  readonly id: string;
  /** `Set-Cookie` for a browser that has no secret yet. */
  readonly cookie: string | undefined;
}

// A name with this prefix can be set by this very host alone, over https, for all of its paths.
const cookieName = '__Host-mcp-browser';

/** A secret that nobody can guess, as text. */
export function randomSecret(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether a text may be a {@link randomSecret}. */
export function isSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/** The browser that sent a request; one that is not known gets a secret. */
export async function browserOf(request: Request): Promise<Browser> {
  const known = secretIn(request.headers.get('cookie') ?? '');
  if (known !== undefined) return { id: await digestOf(known), cookie: undefined };
  const secret = randomSecret();
  // Lax: the browser comes back from where the user signs in.
  const cookie = `${cookieName}=${secret}; Path=/; Secure; HttpOnly; SameSite=Lax`;
  return { id: await digestOf(secret), cookie };
}

function secretIn(cookies: string): string | undefined {
  const values = cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  // Two of them come from no browser that keeps the rules of the prefix.
  return values.length === 1 && isSecret(values[0]) ? values[0] : undefined;
}
