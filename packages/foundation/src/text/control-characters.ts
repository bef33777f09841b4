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
