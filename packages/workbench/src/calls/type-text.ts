import { printableJson, printableText } from '@tenon/foundation';

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** True if TypeScript accepts the name as a property or parameter without quotes; reserved words are not excluded. */
export function isIdentifier(name: string): boolean {
  return identifier.test(name);
}

/** Returns the name of a property as TypeScript, quoted if it must be. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : printableJson(name);
}

/** Returns a text without the end of a block comment, and without control characters, which could hide one. */
export function commentText(text: string): string {
  return printableText(text).replaceAll('*/', '*\\/');
}

/** Returns a text in one line, and shortened to the number of characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 3).trimEnd()}...`;
}

/** Returns the lines of a text, wrapped at spaces; empty lines between paragraphs are kept, longer words are not split. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.trim().split(/\r\n|[\n\r\u2028\u2029]/)) {
    let line = '';
    for (const word of paragraph.trim().split(/\s+/)) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

/** Returns the lines of a doc comment; none for a text without lines. */
export function docComment(lines: readonly string[], width: number): string[] {
  const safe = lines.map(commentText);
  const [only = ''] = safe;
  if (safe.length === 0) return [];
  if (safe.length === 1 && only.length + 7 <= width) return [`/** ${only} */`];
  return ['/**', ...safe.map((line) => ` * ${line}`.trimEnd()), ' */'];
}
