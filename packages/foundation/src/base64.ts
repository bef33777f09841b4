interface Platform {
  readonly Buffer?: {
    from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string };
  };
}

/** Returns bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const { Buffer } = globalThis as Platform;
  if (Buffer !== undefined)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Returns bytes as base64url without padding. https://www.rfc-editor.org/rfc/rfc4648#section-5 */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the bytes of base64url text as {@link toBase64Url} writes it; undefined for anything else. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  // Spare bits, padding and blanks would allow several texts for the same bytes.
  return toBase64Url(bytes) === text ? bytes : undefined;
}
