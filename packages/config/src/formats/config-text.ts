import { isDeepStrictEqual } from 'node:util';
import {
  type ConfigSyntax,
  type FileFormat,
  type MemberChange,
  memberAt,
  SyntaxProblem,
} from './config-syntax.js';

/** Parses the text of a file. @throws SyntaxProblem */
export async function parseConfig(format: FileFormat, text: string): Promise<unknown> {
  return (await syntaxFor(format)).parse(withoutMark(text));
}

/**
 * Returns a text with one member set or removed, and everything else as it was.
 * @throws SyntaxProblem if the text is wrong, or written in a way that this program does not change.
 */
export async function changeConfig(format: FileFormat, text: string, change: MemberChange): Promise<string> {
  const syntax = await syntaxFor(format);
  const plain = withoutMark(text);
  const after = syntax.change(plain, change);
  const { path, value } = change;
  const isKept = isDeepStrictEqual(without(syntax.parse(plain), path), without(syntax.parse(after), path));
  if (!isKept || !isDeepStrictEqual(plainOf(memberAt(syntax.parse(after), path)), plainOf(value)))
    throw new SyntaxProblem(`"${path.join('.')}" is written in a way that only a person can change`);
  return text.slice(0, text.length - plain.length) + after;
}

/** Returns the syntax of a format. Code for the others is not loaded. */
async function syntaxFor(format: FileFormat): Promise<ConfigSyntax> {
  if (format === 'toml') return (await import('./toml-syntax.js')).tomlSyntax;
  if (format === 'yaml') return (await import('./yaml-syntax.js')).yamlSyntax;
  return (await import('./json-syntax.js')).jsonSyntax;
}

/** Returns a text without the byte order mark that some editors write. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Returns a copy of a value without a member, and without the objects on the way that have no other member. */
function without(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return undefined;
  if (typeof value !== 'object') return value;
  const members = Object.entries(value ?? {}).flatMap(([key, one]): [string, unknown][] => {
    const kept = key === name ? without(one, rest) : one;
    return kept === undefined ? [] : [[key, plainOf(kept)]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Returns a copy of a value as JSON has it: without undefined members. */
export function plainOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
