const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of bytes in UTF-8; undefined if they are malformed. A byte order mark stays. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the bytes as text if that loses nothing; undefined for bytes that are not text, such as an image. */
export function textIn(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : utf8Text(bytes);
}
