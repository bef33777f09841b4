/** Bytes as base64url without padding. https://www.rfc-editor.org/rfc/rfc4648#section-5 */
export function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
