import { printableJson } from '@tenon/foundation';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  type ConfigSyntax,
  lineEnd,
  lineOf,
  type MemberChange,
  nested,
  SyntaxProblem,
} from './config-syntax.js';

/** JSON with comments and trailing commas. */
export const jsonSyntax: ConfigSyntax = {
  parse(text) {
    const root = treeOf(text);
    return root === undefined ? {} : getNodeValue(root);
  },
  change(text, change) {
    const root = treeOf(text);
    if (change.value !== undefined)
      return root === undefined ? newFile(change) : withMember(text, root, change);
    return root === undefined ? text : withoutMember(text, root, change.path);
  },
};

/** Returns the tree of a text; undefined if the text is blank. */
function treeOf(text: string): Node | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser is recursive.
    throw new SyntaxProblem('it is nested too deeply', { cause: error });
  }
  const [error] = errors;
  if (error !== undefined) throw new SyntaxProblem(messageOf(error), { line: lineOf(text, error.offset) });
  if (root?.type !== 'object') throw new SyntaxProblem('it is not a JSON object');
  return root;
}

function messageOf(error: ParseError): string {
  const words = printParseErrorCode(error.error).replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return words.toLowerCase();
}

function nameOf({ children: [name] = [] }: Node): string {
  return String(name?.value);
}

/** Returns the last member of a name, which is the one that parsers use. */
function propertyOf(object: Node, name: string): Node | undefined {
  return (object.children ?? []).filter((one) => nameOf(one) === name).at(-1);
}

function newFile({ path, value }: MemberChange): string {
  return `${printableJson(nested(path, value), 2)}\n`;
}

function withMember(text: string, root: Node, { path, value }: MemberChange): string {
  let object = root;
  let depth = 0;
  for (const name of path) {
    const property = propertyOf(object, name);
    const content = property?.children?.[1];
    if (content === undefined) break;
    if (depth === path.length - 1) return replaced(text, content, value);
    if (content.type !== 'object')
      throw new SyntaxProblem(`"${name}" is not an object`, { line: lineOf(text, content.offset) });
    object = content;
    depth++;
  }
  const name = path[depth] ?? '';
  return inserted(text, object, { name, value: nested(path.slice(depth + 1), value) });
}

function replaced(text: string, content: Node, value: unknown): string {
  const printed = printedValue(text, value, indentationAt(text, content.offset));
  return splice(text, content.offset, { length: content.length, insert: printed });
}

function inserted(text: string, object: Node, { name, value }: { name: string; value: unknown }): string {
  const members = object.children ?? [];
  const last = members.at(-1);
  const close = object.offset + object.length - 1;
  const end = lineEnd(text);
  const outer = indentationAt(text, object.offset);
  const isBroken = text.slice(object.offset, close).includes('\n');
  const unit = unitOf(text);
  if (last === undefined) {
    const inner = outer + unit;
    const lines = `${end}${inner}${printableJson(name)}: ${printedValue(text, value, inner)}${end}${outer}`;
    return splice(text, object.offset + 1, { length: close - object.offset - 1, insert: lines });
  }
  const after = last.offset + last.length;
  const comma = commaAfter(text, after, close);
  if (!isBroken) {
    const one = `${printableJson(name)}:${printableJson(value)}`;
    const gap = /^[,{]\s/.test(text.slice(object.offset)) || text.includes(', "') ? ' ' : '';
    return splice(text, comma === undefined ? after : comma + 1, {
      length: 0,
      insert: comma === undefined ? `,${gap}${one}` : `${gap}${one},`,
    });
  }
  const inner = members[0] === undefined ? outer + unit : indentationAt(text, members[0].offset);
  const lines = `${end}${inner}${printableJson(name)}: ${printedValue(text, value, inner)}`;
  // After comments that follow the last member.
  const stop = text.slice(0, close).trimEnd().length;
  const whole = splice(text, stop, { length: 0, insert: comma === undefined ? lines : `${lines},` });
  return comma === undefined ? splice(whole, after, { length: 0, insert: ',' }) : whole;
}

function withoutMember(text: string, root: Node, path: readonly string[]): string {
  let object: Node | undefined = root;
  let parent: { object: Node; name: string } | undefined;
  for (const name of path.slice(0, -1)) {
    parent = { object, name };
    object = propertyOf(object, name)?.children?.[1];
    if (object?.type !== 'object') return text;
  }
  const property = propertyOf(object, path.at(-1) ?? '');
  if (property === undefined) return text;
  const members = object.children ?? [];
  // The object goes with its last member, except where it is the only content of the file: clients may require it.
  if (members.length === 1 && parent !== undefined && (parent.object.children ?? []).length > 1)
    return withoutMember(text, root, path.slice(0, -1));
  return cut(text, object, property);
}

function cut(text: string, object: Node, property: Node): string {
  const members = object.children ?? [];
  const index = members.indexOf(property);
  const close = object.offset + object.length - 1;
  const after = property.offset + property.length;
  const comma = commaAfter(text, after, members[index + 1]?.offset ?? close);
  const to = lineCommentEnd(text, comma === undefined ? after : comma + 1);
  const isLineEnd = /^[ \t]*\r?\n/.test(text.slice(to));
  const gap = gapStart(text, property.offset);
  const from = isLineEnd ? gap.start : gap.afterComment;
  const whole = splice(text, from, { length: to - from, insert: '' });
  const before = members[index - 1];
  if (members.length === 1) {
    const rest = whole.slice(object.offset + 1, close - (to - from));
    return rest.trim() === '' ? splice(whole, object.offset + 1, { length: rest.length, insert: '' }) : whole;
  }
  if (before === undefined || index < members.length - 1 || comma !== undefined) return whole;
  const separator = commaAfter(text, before.offset + before.length, property.offset);
  return separator === undefined ? whole : splice(whole, separator, { length: 1, insert: '' });
}

/** Returns the start of the white space before an offset, and where text may begin that a comment on that line would hide. */
function gapStart(text: string, offset: number): { readonly start: number; readonly afterComment: number } {
  const start = text.slice(0, offset).trimEnd().length;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const end = text.slice(start, offset).indexOf('\n');
  return { start, afterComment: line.includes('//') && end !== -1 ? start + end + 1 : start };
}

/** Returns the end of a comment on the rest of a line, which belongs to the member before it. */
function lineCommentEnd(text: string, from: number): number {
  return from + (/^[ \t]*\/\/[^\r\n]*/.exec(text.slice(from))?.[0].length ?? 0);
}

/** Returns the offset of the comma between two offsets, outside of comments. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    if (text.startsWith('//', at)) at = endOf(text.indexOf('\n', at), to);
    else if (text.startsWith('/*', at)) at = endOf(text.indexOf('*/', at + 2) + 1, to);
    else if (text[at] === ',') return at;
  }
  return undefined;
}

function endOf(at: number, to: number): number {
  return at <= 0 ? to : at;
}

function printedValue(text: string, value: unknown, indentation: string): string {
  const lines = printableJson(value, unitOf(text)).split('\n');
  return lines.join(lineEnd(text) + indentation);
}

/** Returns the white space at the start of the line of an offset. */
function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function unitOf(text: string): string {
  return /\n([ \t]+)["'/]/.exec(text)?.[1]?.slice(0, 8) ?? '  ';
}

function splice(text: string, at: number, { length, insert }: { length: number; insert: string }): string {
  return text.slice(0, at) + insert + text.slice(at + length);
}
