import { parse, stringify, TomlError } from 'smol-toml';
import {
  type ConfigSyntax,
  lineEnd,
  type MemberChange,
  memberAt,
  nested,
  SyntaxProblem,
} from './config-syntax.js';

/** TOML in which each changed member is a table of its own, such as `[mcp_servers.name]`. */
export const tomlSyntax: ConfigSyntax = {
  parse: parseToml,
  change(text, { path, value }) {
    const old = memberAt(parseToml(text), path);
    const tables = tablesIn(text);
    const own = tables.filter(({ keys }) => path.every((name, index) => keys[index] === name));
    if (old === undefined) return value === undefined ? text : appended(text, { path, value });
    const [first] = own;
    const last = own.at(-1);
    if (
      first === undefined ||
      last === undefined ||
      own.length !== tables.indexOf(last) - tables.indexOf(first) + 1
    )
      throw new SyntaxProblem(`"${path.join('.')}" is not written as one table [${path.join('.')}]`);
    if (value === undefined) return removed(text, first.start, last.end);
    const block = tableText(text, { path, value });
    return text.slice(0, first.start) + block + text.slice(last.end);
  },
};

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) {
      const [reason = 'it is not TOML'] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
      throw new SyntaxProblem(reason, { line: error.line, cause: error });
    }
    throw new SyntaxProblem('it is nested too deeply', { cause: error });
  }
}

/** A table header, and the offsets of its text up to the last line that is not blank or a comment of the next table. */
interface Table {
  readonly keys: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Returns the tables of a valid text. */
function tablesIn(text: string): Table[] {
  const tables: { keys: readonly string[]; start: number; end: number }[] = [];
  let offset = 0;
  let quote: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const keys = quote === undefined ? headerOf(line) : undefined;
    const isContent = quote !== undefined || !/^\s*(?:#.*)?\s*$/.test(line);
    if (keys !== undefined) tables.push({ keys, start: offset, end: offset });
    const last = tables.at(-1);
    offset += line.length;
    if (last !== undefined && isContent) last.end = offset;
    quote = openQuote(line, quote);
  }
  return tables;
}

/** Returns the keys of a table header; undefined for other lines. */
function headerOf(line: string): readonly string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  try {
    const keys: string[] = [];
    let value: unknown = parse(line);
    while (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      const [key = ''] = Object.keys(value);
      keys.push(Array.isArray(value) ? `[${key}]` : key);
      value = Reflect.get(value, key);
    }
    return keys;
  } catch {
    // A line of a list.
    return undefined;
  }
}

/** Returns the quotes of a text over several lines that is open at the end of a line. */
function openQuote(line: string, open: string | undefined): string | undefined {
  let quote = open;
  for (let at = 0; at < line.length; at++) {
    if (quote !== undefined) {
      if (quote[0] === '"' && line[at] === '\\') at++;
      else if (line.startsWith(quote, at)) {
        at += quote.length - 1;
        quote = undefined;
      }
      continue;
    }
    if (line[at] === '#') break;
    const mark = line[at];
    if (mark !== '"' && mark !== "'") continue;
    quote = line.startsWith(mark.repeat(3), at) ? mark.repeat(3) : mark;
    at += quote.length - 1;
  }
  return quote?.length === 3 ? quote : undefined;
}

function appended(text: string, change: MemberChange): string {
  const end = lineEnd(text);
  const block = tableText(text, change);
  if (text === '') return block;
  // A text without a final line end stays one, so that removing the table restores the text.
  return text.endsWith('\n') ? text + end + block : text + end + end + block.trimEnd();
}

function removed(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (after !== '') return before.replace(/(\n|^)\r?\n$/, '$1') + after;
  const isOpen = !text.endsWith('\n');
  return isOpen ? before.trimEnd() : before.replace(/(\n|^)\r?\n$/, '$1');
}

function tableText(text: string, { path, value }: MemberChange): string {
  const lines = stringify(nested(path, value)).trim().split('\n');
  return `${lines.join(lineEnd(text))}${lineEnd(text)}`;
}
