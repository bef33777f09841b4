import { toBase64Url } from '@tenon/mcp-protocol/internal';

/** Returns a text as one segment of a key, of 43 characters whatever its length: SHA-256 in base64url. */
export async function digestSegment(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(digest));
}
