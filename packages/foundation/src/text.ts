/** True for an object that is neither null nor a list. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a JSON text. @param otherwise - returned if the text is not JSON. Default: undefined. */
export function jsonIn(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

// Escape sequences of terminals as a whole; the other C0 and C1 controls but tab and line ends; characters that change the
// direction of text; and invisible copies of ASCII. Each alternative begins differently or is one character.
// Marked so that a bundler can leave them out.
const controls = /* @__PURE__ */ new RegExp(
  /* @__PURE__ */ [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}]',
  ].join('|'),
  'gu',
);

/** Returns a text without invisible characters that programs obey: terminal escapes, controls, changes of direction. */
export function withoutControls(text: string): string {
  return text.replace(controls, '');
}

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
