import {
  type Document,
  isMap,
  isNode,
  isScalar,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
} from 'yaml';
import {
  type ConfigSyntax,
  lineEnd,
  lineOf,
  type MemberChange,
  nested,
  SyntaxProblem,
} from './config-syntax.js';

/** YAML with one document. */
export const yamlSyntax: ConfigSyntax = {
  parse(text) {
    const document = documentOf(text);
    try {
      return document.toJS({ maxAliasCount: 100 }) ?? {};
    } catch (error) {
      throw new SyntaxProblem('it has too many aliases', { cause: error });
    }
  },
  change(text, change) {
    const document = documentOf(text);
    const root = document.contents;
    if (root === null)
      return change.value === undefined
        ? text
        : text + blockText(text, nested(change.path, change.value), '');
    if (!isMap(root)) throw new SyntaxProblem('it is not a map');
    return textChange(text, root, change) ?? documentChange(document, change);
  },
};

function documentOf(text: string): Document {
  let document: Document;
  try {
    document = parseDocument(text, { prettyErrors: false });
  } catch (error) {
    throw new SyntaxProblem('it is nested too deeply', { cause: error });
  }
  const [error] = document.errors;
  if (error !== undefined) throw new SyntaxProblem(error.message, { line: lineOf(text, error.pos[0]) });
  return document;
}

/** Changes the text of a map in block style; undefined if the map is written in another way. */
function textChange(text: string, root: YAMLMap, { path, value }: MemberChange): string | undefined {
  const [outer, name] = path;
  if (outer === undefined || name === undefined || path.length !== 2 || root.flow === true) return undefined;
  const section = pairOf(root, outer);
  if (section === undefined) {
    if (value === undefined) return text;
    return inserted(text, text.length, blockText(text, { [outer]: { [name]: value } }, ''));
  }
  const map = section.value;
  if (!isMap(map) || map.flow === true) return undefined;
  const [first] = map.items;
  const start = first === undefined ? undefined : lineStart(text, first);
  if (first === undefined || start === undefined) return undefined;
  const indentation = /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
  const pair = pairOf(map, name);
  if (value !== undefined) {
    const block = blockText(text, { [name]: value }, indentation);
    return pair === undefined ? inserted(text, endOf(text, section), block) : cut(text, pair, block);
  }
  if (pair === undefined) return text;
  if (map.items.length > 1) return cut(text, pair);
  return root.items.length > 1 ? cut(text, section) : undefined;
}

/** Inserts lines. A text without a final line end stays one. */
function inserted(text: string, at: number, block: string): string {
  const before = text.slice(0, at);
  const isOpen = before !== '' && !before.endsWith('\n');
  return (isOpen ? before + lineEnd(text) + block.trimEnd() : before + block) + text.slice(at);
}

/** Replaces the lines of a pair. Comments after it stay. */
function cut(text: string, pair: Pair, block = ''): string | undefined {
  const from = lineStart(text, pair);
  if (from === undefined) return undefined;
  const [before, after] = [text.slice(0, from), text.slice(endOf(text, pair))];
  return block + after === '' && !text.endsWith('\n') ? before.trimEnd() : before + block + after;
}

/** Returns the start of the line of a pair; undefined if other text is before the pair. */
function lineStart(text: string, { key }: Pair): number | undefined {
  const offset = isScalar(key) ? key.range?.[0] : undefined;
  if (offset === undefined) return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return text.slice(start, offset).trim() === '' ? start : undefined;
}

/** Returns the end of the last line of a pair. */
function endOf(text: string, { key, value }: Pair): number {
  const [, , end = text.length] = (isNode(value) ? value.range : (key as Scalar).range) ?? [];
  const feed = text.indexOf('\n', end - 1);
  return feed === -1 ? text.length : feed + 1;
}

function documentChange(document: Document, { path, value }: MemberChange): string {
  if (value === undefined) document.deleteIn(path);
  else {
    const [outer] = path;
    const section = outer === undefined ? undefined : document.get(outer, true);
    if (isMap(section)) section.flow = section.flow === true && section.items.length > 0;
    else if (isScalar(section) && section.value === null) document.set(outer, document.createNode({}));
    document.setIn(path, document.createNode(value));
  }
  return document.toString({ lineWidth: 0 });
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

function blockText(text: string, value: unknown, indentation: string): string {
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => indentation + line + lineEnd(text)).join('');
}
