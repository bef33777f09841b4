import { sha256 } from '@noble/hashes/sha2.js';

const longest = 64;
/** Sixteen characters of 32: 80 bits of a SHA-256, so no server can find a name that equals the name of a tool of another server. */
const digestLength = 16;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const endsLikeDigest = new RegExp(`_[a-z2-7]{${digestLength}}$`);
const memberAccepted = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The characters of a name before its digest. */
export const roomOfStart: number = longest - digestLength - 1;

/** Returns a name that every format accepts: the start of the name without odd characters, and a digest of the parts. */
export function withDigest(name: string, parts: readonly string[]): string {
  const fitting = name.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, roomOfStart);
  const start = /^[A-Za-z_]/.test(fitting) ? fitting : `_${fitting}`.slice(0, roomOfStart);
  return `${start}_${digestOf(JSON.stringify(parts))}`;
}

/** True for a name that {@link withDigest} may return. */
export function isLikeDigested(name: string): boolean {
  return endsLikeDigest.test(name);
}

/**
 * Returns a name for a member of the arguments that every format accepts. A name that had to be changed ends with a digest of the
 * name, so the member is found again.
 */
export function memberName(name: string): string {
  return memberAccepted.test(name) ? name : withDigest(name.replace(/-/g, '_'), [name]);
}

function digestOf(text: string): string {
  let digest = '';
  let bits = 0;
  let count = 0;
  for (const byte of sha256(new TextEncoder().encode(text))) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5 && digest.length < digestLength; count -= 5)
      digest += alphabet.charAt((bits >> (count - 5)) & 31);
    if (digest.length === digestLength) break;
    bits &= (1 << count) - 1;
  }
  return digest;
}
