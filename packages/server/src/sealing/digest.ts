import { canonicalJson, toBase64Url } from '@tenon/foundation';

/** Returns the SHA-256 of a JSON value in its canonical form, as base64url. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  return toBase64Url(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}
