import { toBase64Url } from '@tenon/mcp-protocol/internal';

/** Returns an unguessable identifier of 128 random bits. */
export function randomId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}
