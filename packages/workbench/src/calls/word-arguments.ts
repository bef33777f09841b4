import type { Tool } from '@tenon/mcp-client';
import type { JsonValue } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '../failures/workbench-error.js';
import { coerce } from './coercion.js';
import { resolved } from './schema-type.js';
import { readValue } from './value-reader.js';

/** An argument as a word of a command line: `name=text`, `name:=json`, `name=@file`. */
export interface WordArgument {
  readonly name: string;
  readonly isJson: boolean;
  readonly text: string;
}

/** Reads the file of a path that a user wrote. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

/** Reads a word such as `name=text`; undefined if it has no "=". */
export function parseWordArgument(word: string): WordArgument | undefined {
  const [, name, operator, text] = /^([^=]+?)(:?=)(.*)$/s.exec(word) ?? [];
  if (name === undefined || text === undefined) return undefined;
  return { name: name.trim(), isJson: operator === ':=', text };
}

/**
 * Returns the value of a word by the input schema, and its path in the arguments.
 * @throws WorkbenchError `usage` if the schema does not allow the value, or a file cannot be read.
 */
export async function wordValue(
  { name, isJson, text }: WordArgument,
  { inputSchema }: Pick<Tool, 'inputSchema'>,
  readFile: ReadFile,
): Promise<{ path: readonly string[]; value: JsonValue }> {
  const { path, schema } = schemaAt(name, inputSchema);
  const read =
    text.startsWith('@') && !text.startsWith('@@')
      ? await fileText(text.slice(1), { name, schema, readFile })
      : undefined;
  if (read !== undefined && !isJson && acceptsText(schema, inputSchema)) return { path, value: read };
  const given = read ?? text.replace(/^@@/, '@');
  if (isJson) return { path, value: jsonValue(name, given) };
  const coerced = coerce(given, schema, inputSchema);
  if ('problem' in coerced)
    throw new WorkbenchError(
      'usage',
      `The argument "${name}" ${coerced.problem}${coerced.problem.endsWith('?') ? '' : '.'}`,
    );
  return { path, value: coerced.value };
}

function jsonValue(name: string, text: string): JsonValue {
  try {
    return readValue(text);
  } catch (error) {
    throw notJson(name, error);
  }
}

function notJson(name: string, error: unknown): WorkbenchError {
  const problem = error instanceof Error ? error.message : String(error);
  return new WorkbenchError('usage', `The argument "${name}" is not JSON. ${problem}`, {
    hint: `Text without quotes is written ${name}=text.`,
    cause: error,
  });
}

/** Returns the path that a dotted name means, and the schema there. A property with dots in its name wins. */
function schemaAt(name: string, root: unknown): { path: readonly string[]; schema: unknown } {
  const path: string[] = [];
  let schema: unknown = resolved(root, root);
  let rest = name;
  while (rest !== '') {
    const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
    const dot = rest.indexOf('.');
    if (Object.hasOwn(properties, rest) || dot <= 0 || dot === rest.length - 1) {
      path.push(rest);
      const found = Object.hasOwn(properties, rest) ? properties[rest] : additional(schema);
      return { path, schema: resolved(found, root) };
    }
    const first = rest.slice(0, dot);
    path.push(first);
    schema = resolved(Object.hasOwn(properties, first) ? properties[first] : additional(schema), root);
    rest = rest.slice(dot + 1);
  }
  return { path, schema };
}

function additional(schema: unknown): unknown {
  return isObject(schema) && isObject(schema.additionalProperties) ? schema.additionalProperties : true;
}

function acceptsText(schema: unknown, root: unknown): boolean {
  const found = resolved(schema, root);
  return (
    isObject(found) &&
    (found.type === 'string' || (Array.isArray(found.type) && found.type.includes('string')))
  );
}

async function fileText(
  path: string,
  { name, schema, readFile }: { name: string; schema: unknown; readFile: ReadFile },
): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new WorkbenchError('usage', `The file of the argument "${name}" cannot be read: ${path}.`, {
      hint: `Text that begins with @ is written ${name}=@@...`,
      cause: error,
    });
  });
  const isBinary = isObject(schema) && (schema.contentEncoding === 'base64' || schema.format === 'byte');
  return isBinary ? Buffer.from(bytes).toString('base64') : new TextDecoder().decode(bytes);
}
