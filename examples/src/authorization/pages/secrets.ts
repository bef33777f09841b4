import { createHash, randomBytes } from 'node:crypto';

/** Returns a secret of 256 random bits in base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** True if a text has the form of a {@link randomSecret}. */
export function isSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/** Returns the SHA-256 hash of a text in base64url. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
