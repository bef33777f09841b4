import { type Document, isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { type ConfigSyntax, lineEnd, lineOf, type MemberChange, SyntaxProblem } from './config-syntax.js';

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
    if (root === null) return change.value === undefined ? text : text + blockText(text, nested(change), '');
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
    const block = blockText(text, { [outer]: { [name]: value } }, '');
    return text.endsWith('\n') ? text + block : text + lineEnd(text) + block.trimEnd();
  }
  const map = section.value;
  if (!isMap(map) || map.flow === true || map.items.length === 0) return undefined;
  const first = startOf(map.items[0]);
  if (first === undefined) return undefined;
  const indentation = text.slice(text.lastIndexOf('\n', first - 1) + 1, first);
  if (indentation.trim() !== '') return undefined;
  const pair = pairOf(map, name);
  if (pair === undefined) {
    if (value === undefined) return text;
    const at = contentEnd(text, first, indentation.length);
    const block = blockText(text, { [name]: value }, indentation);
    const isOpen = !text.slice(0, at).endsWith('\n');
    return text.slice(0, at) + (isOpen ? lineEnd(text) + block.trimEnd() : block) + text.slice(at);
  }
  return pairChange(
    text,
    { root, outer, map, pair, indentation },
    value === undefined ? undefined : { [name]: value },
  );
}

interface Place {
  readonly root: YAMLMap;
  readonly outer: string;
  readonly map: YAMLMap;
  readonly pair: Pair;
  readonly indentation: string;
}

function pairChange(text: string, place: Place, value: object | undefined): string | undefined {
  const { root, outer, map, pair, indentation } = place;
  const isWhole = value === undefined && map.items.length === 1 && root.items.length > 1;
  const start = startOf(isWhole ? pairOf(root, outer) : pair);
  if (start === undefined || (value === undefined && map.items.length === 1 && !isWhole)) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = itemEnd(text, start, isWhole ? 0 : indentation.length);
  const block = value === undefined ? '' : blockText(text, value, indentation);
  const after = text.slice(to);
  if (value === undefined && after === '' && !text.endsWith('\n')) return text.slice(0, from).trimEnd();
  return text.slice(0, from) + block + after;
}

/** Returns the end of the lines of an item: up to the next line that is not indented more. Comments after it stay. */
function itemEnd(text: string, start: number, depth: number): number {
  return lastLine(text, start, (indentation) => indentation > depth);
}

/** Returns the end of the lines of a map with members that are indented by `depth`. */
function contentEnd(text: string, start: number, depth: number): number {
  return lastLine(text, start, (indentation) => indentation >= depth);
}

function lastLine(text: string, start: number, isInside: (indentation: number) => boolean): number {
  let end = nextLine(text, start);
  for (let at = end; at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, nextLine(text, at));
    if (/^\s*(?:#.*)?\s*$/.test(line)) continue;
    if (!isInside(line.length - line.trimStart().length)) break;
    end = at + line.length;
  }
  return end;
}

function nextLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
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

function startOf(pair: Pair | undefined): number | undefined {
  const key = pair?.key;
  return isScalar(key) ? key.range?.[0] : undefined;
}

function blockText(text: string, value: unknown, indentation: string): string {
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => indentation + line + lineEnd(text)).join('');
}

function nested({ path, value }: MemberChange): unknown {
  return path.reduceRight((content, name) => ({ [name]: content }), value);
}
