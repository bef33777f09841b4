/**
 * Returns random bits in hexadecimal, which cannot be guessed. Unlike `crypto.randomUUID`, it also works in pages without HTTPS.
 * @param bytes - default: 16, which is 32 characters.
 */
export function randomId(bytes = 16): string {
  let id = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) id += byte.toString(16).padStart(2, '0');
  return id;
}
