import { toBase64Url } from '../base64url.js';

/** An identifier that nobody can guess: 128 random bits. */
export function randomId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
}
