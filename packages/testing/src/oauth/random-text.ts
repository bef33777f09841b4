/** Returns 256 random bits as letters, digits, `-` and `_`. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
