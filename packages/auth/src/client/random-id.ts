import { base64url } from 'jose';

/** An identifier that nobody can guess: 128 random bits. */
export function randomId(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(16)));
}
