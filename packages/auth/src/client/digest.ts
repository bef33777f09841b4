import { toBase64Url } from '../base64url.js';

/** SHA-256 of a text, in base64url: says nothing of the text to whoever does not know it. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(digest));
}

/** The same for several texts in their order; no two lists of texts have the same. */
export function digestOfAll(texts: readonly (string | undefined)[]): Promise<string> {
  return digestOf(JSON.stringify(texts.map((text) => text ?? null)));
}

/** True for equal texts. How long it takes tells nothing of where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) {
    // Past the end of the other this is NaN, which counts as 0; the lengths have told by then.
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}
