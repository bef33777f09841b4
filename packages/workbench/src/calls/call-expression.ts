import type { JsonValue } from '@tenon/mcp-protocol';
import { ValueReader } from './value-reader.js';

/** A call as it is written in code: `tool(a: 1, b: "x")`. */
export interface CallExpression {
  /** The text before the parenthesis: a tool, or a server and a tool. */
  readonly callee: string;
  /** The values without names, in their order. */
  readonly positional: readonly JsonValue[];
  readonly named: { readonly [name: string]: JsonValue };
}

/** True if a word is a call expression, and not the name of a tool. */
export function isCallExpression(word: string): boolean {
  return /^[^\s(="'{[]+\s*\(/.test(word);
}

/** Reads a call such as `server.tool(a: 1, b: ["x"],)`. @throws WorkbenchError `usage` that shows the place. */
export function parseCallExpression(text: string): CallExpression {
  const open = text.indexOf('(');
  const reader = new ValueReader(text);
  reader.position = open === -1 ? text.length : open;
  reader.expect('(', 'after the name of the tool');
  const callee = text.slice(0, open).trim();
  if (callee === '') throw reader.problem('The name of the tool is missing', 0);
  const positional: JsonValue[] = [];
  const named = new Map<string, JsonValue>();
  while (!reader.skip(')')) {
    if (reader.peek() === '') throw reader.problem('")" is missing');
    const start = reader.position;
    const name = argumentName(reader);
    if (name === undefined) {
      if (named.size > 0) throw reader.problem('An argument after named ones needs a name', start);
      positional.push(reader.value());
    } else {
      if (named.has(name)) throw reader.problem(`The argument "${name}" is given twice`, start);
      named.set(name, reader.value());
    }
    if (!reader.skip(',') && reader.peek() !== ')') throw reader.problem('"," or ")" is missing');
  }
  reader.skip(';');
  reader.end();
  return { callee, positional, named: Object.fromEntries(named) };
}

/** Reads `name:`; leaves the position unchanged if a value comes next. */
function argumentName(reader: ValueReader): string | undefined {
  reader.peek();
  const start = reader.position;
  const name = reader.name();
  if (name !== undefined && reader.skip(':')) return name;
  reader.position = start;
  return undefined;
}

/** A callee in two parts. */
interface Callee {
  readonly server: string;
  readonly tool: string;
}

/**
 * Splits `server.tool`: a URL at its last dot after the host, a TypeScript or JavaScript file behind its extension, a name at its first dot.
 * @returns undefined if the text has only one part.
 */
export function splitCallee(callee: string): Callee | undefined {
  const isUrl = /^https?:/i.test(callee);
  const [, file, ofFile] = isUrl ? [] : (/^(.+?\.[cm]?[jt]sx?)\.(.+)$/.exec(callee) ?? []);
  if (file !== undefined && ofFile !== undefined) return { server: file, tool: ofFile };
  const path = isUrl ? callee.indexOf('/', callee.indexOf('//') + 2) : 0;
  const dot = isUrl ? callee.lastIndexOf('.') : callee.indexOf('.');
  if (path < 0 || dot <= path || dot === callee.length - 1) return undefined;
  return { server: callee.slice(0, dot), tool: callee.slice(dot + 1) };
}
