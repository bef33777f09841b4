import { toBase64Url } from '@tenon/foundation';

/** Returns the SHA-256 hash of a text in base64url. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(digest));
}

/** Returns one hash for several texts in order. Different lists have different hashes. */
export function digestOfAll(texts: readonly (string | undefined)[]): Promise<string> {
  return digestOf(JSON.stringify(texts.map((text) => text ?? null)));
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) {
    // Past the end of the shorter text this is NaN, which counts as 0; the lengths already differ then.
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

/** Returns an unguessable identifier of 128 random bits. */
export function randomId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/** Returns a secret of 256 random bits in base64url. */
export function randomSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}
