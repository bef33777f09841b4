/** Returns the first part of a text that is invalid in a URI, such as a space or a "%" without two digits; undefined if there is none. */
export function unfitForUri(text: string): string | undefined {
  return new RegExp(unfit, 'u').exec(text)?.[0];
}

// No literal with \p{Cc} and \p{Cs}: it would be compiled with the file, and looking up Unicode classes is slow.
const unfit = String.raw`[\s\u0000-\u001f\u007f-\u009f\ud800-\udfff"<>\\^\x60{|}]|%(?![0-9A-Fa-f]{2})`;
