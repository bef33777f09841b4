import { toBase64, utf8Text } from '@tenon/foundation';

const prefix = '=?base64?';
const suffix = '?=';
const visible = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const readable = /^[\t\x20-\x7e]*$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns a text as the value of an HTTP header: unchanged if that is safe, else wrapped in base64.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function encodeHeaderValue(text: string): string {
  if (text === '' || (visible.test(text) && !isWrapped(text))) return text;
  return prefix + toBase64(new TextEncoder().encode(text)) + suffix;
}

/** Returns the text of a header value; undefined if the value has characters or a wrapping that are not allowed. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!isWrapped(value)) return readable.test(value) ? value : undefined;
  const wrapped = value.slice(prefix.length, -suffix.length);
  return base64.test(wrapped)
    ? utf8Text(Uint8Array.from(atob(wrapped), (char) => char.charCodeAt(0)))
    : undefined;
}

function isWrapped(text: string): boolean {
  return text.length >= prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix);
}
