/**
 * Returns the test of a pattern for paths with `/`: `*` and `?` within a segment, `**` over segments, `{a,b}`.
 */
export function globTest(pattern: string): (path: string) => boolean {
  let text = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const one = pattern[at] as string;
    if (pattern.startsWith('**/', at)) {
      text += '(?:[^/]+/)*';
      at += 2;
    } else if (pattern.startsWith('**', at)) {
      text += '.*';
      at += 1;
    } else if (one === '*') text += '[^/]*';
    else if (one === '?') text += '[^/]';
    else if (one === '{') {
      depth++;
      text += '(?:';
    } else if (one === '}' && depth > 0) {
      depth--;
      text += ')';
    } else if (one === ',' && depth > 0) text += '|';
    else text += one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  const test = new RegExp(`^${text}${')'.repeat(depth)}$`);
  return (path) => test.test(path);
}

/** Returns the folder above the first segment with a pattern; an empty text for the working folder. */
export function globBase(pattern: string): string {
  const segments = pattern.split('/').slice(0, -1);
  const special = segments.findIndex((segment) => /[*?{]/.test(segment));
  return (special === -1 ? segments : segments.slice(0, special)).join('/');
}
