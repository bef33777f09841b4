/** A text nobody guesses: 256 bits, in letters, digits, `-` and `_`. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
