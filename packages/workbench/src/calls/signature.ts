import type { Tool } from '@tenon/mcp-client';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { indented, resolved, typeOf } from './schema-type.js';
import { docComment, isIdentifier, oneLine, wrapped } from './type-text.js';

/** Options of {@link signatureOf}. */
interface SignatureOptions {
  /** The width of a line in columns. Default: 80. */
  readonly width?: number;
  /** All parameters with their descriptions, and whole types. Default: false. */
  readonly all?: boolean;
}

/** A tool as a TypeScript function. */
export interface Signature {
  /** The lines of the doc comment. */
  readonly comment: readonly string[];
  /** The name of the tool, not quoted. */
  readonly name: string;
  /** The parameters in parentheses. */
  readonly parameters: string;
  /** The type of the structured content; undefined if the tool declares none. */
  readonly result: string | undefined;
}

/**
 * Returns the signature of a tool. Required parameters come first. Some optional ones are left out unless `all` is set.
 * A tool with arguments that are not a list of names has one parameter, `args`.
 */
export function signatureOf(
  tool: Pick<Tool, 'name' | 'description' | 'inputSchema' | 'outputSchema'>,
  { width = 80, all = false }: SignatureOptions = {},
): Signature {
  const { name, outputSchema } = tool;
  const list = parametersOf(tool.inputSchema);
  const { shown, hidden } = all ? { shown: list, hidden: 0 } : folded(list);
  const result =
    outputSchema === undefined
      ? undefined
      : fitting(outputSchema, { width: width - 20, all, root: outputSchema });
  const place = { root: tool.inputSchema, width, all };
  const parameters =
    list.length > 0 && !isPlain(list, tool.inputSchema)
      ? `(args: ${fitting(tool.inputSchema, place)})`
      : parameterList(shown, { ...place, hidden, taken: name.length + lastLine(result).length + 2 });
  return { comment: commentOf(tool, { list, width, all }), name, parameters, result };
}

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: unknown;
}

/** Returns the parameters of a tool by its input schema, the required ones first. */
export function parametersOf(inputSchema: unknown): Parameter[] {
  const schema = resolved(inputSchema, inputSchema);
  if (!isObject(schema)) return [];
  const properties: UnknownObject = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name): name is string => typeof name === 'string')
    : [];
  const names = [...new Set([...required, ...Object.keys(properties)])];
  return names.map((name) => ({
    name,
    isRequired: required.includes(name),
    schema: Object.hasOwn(properties, name) ? properties[name] : true,
  }));
}

interface Place {
  readonly root: unknown;
  readonly width: number;
  readonly all: boolean;
}

/** Returns a type in one line, or in several if it does not fit. */
function fitting(schema: unknown, { root, width, all }: Place): string {
  const line = typeOf(schema, { root, brief: !all });
  if (line.length <= width) return line;
  return typeOf(schema, { root, brief: !all, layout: 'block' });
}

function isPlain(list: readonly Parameter[], inputSchema: unknown): boolean {
  const schema = resolved(inputSchema, inputSchema);
  const isVaried =
    isObject(schema) && ['oneOf', 'anyOf', 'allOf'].some((word) => Array.isArray(schema[word]));
  return !isVaried && list.every(({ name }) => isIdentifier(name) && !reserved.has(name));
}

const mostShown = 5;

function folded(list: readonly Parameter[]): { shown: readonly Parameter[]; hidden: number } {
  const required = list.filter(({ isRequired }) => isRequired).length;
  const shown = Math.max(required, mostShown);
  // A note instead of one parameter saves nothing.
  return list.length <= shown + 1
    ? { shown: list, hidden: 0 }
    : { shown: list.slice(0, shown), hidden: list.length - shown };
}

interface ListPlace extends Place {
  readonly hidden: number;
  /** The columns of the line that the name and the result need. */
  readonly taken: number;
}

function parameterList(list: readonly Parameter[], { hidden, taken, ...place }: ListPlace): string {
  const texts = list.map(({ name, isRequired, schema }) => {
    const type = fitting(schema, { ...place, width: place.width - name.length - 5 });
    return `${name}${isRequired ? '' : '?'}: ${type}`;
  });
  const note = hidden === 0 ? '' : `/* ...${hidden} more */`;
  const line = `(${[texts.join(', '), note].filter((text) => text !== '').join(' ')})`;
  if (!line.includes('\n') && line.length + taken <= place.width) return line;
  const lines = [...texts.map((text) => `${text},`), ...(note === '' ? [] : [note])];
  return `(\n${indented(lines.join('\n'))}\n)`;
}

function lastLine(text: string | undefined): string {
  return text?.split('\n').at(-1) ?? '';
}

interface CommentPlace {
  readonly list: readonly Parameter[];
  readonly width: number;
  readonly all: boolean;
}

function commentOf({ description = '' }: Pick<Tool, 'description'>, place: CommentPlace): string[] {
  const { list, width, all } = place;
  if (!all) return docComment(brief(description, width - 3), width);
  const lines = description.trim() === '' ? [] : wrapped(description, width - 3);
  for (const { name, schema } of list) {
    const text = isObject(schema) ? (schema.description ?? schema.title) : undefined;
    if (typeof text !== 'string') continue;
    const [first = '', ...rest] = wrapped(`@param ${name} - ${oneLine(text, 2_000)}`, width - 5);
    lines.push(first, ...rest.map((line) => `  ${line}`));
  }
  return docComment(lines, width);
}

const mostLines = 3;

/** Returns the first paragraph in at most three lines. */
function brief(description: string, width: number): string[] {
  const [paragraph = ''] = description.trim().split(/\n\s*\n/);
  if (paragraph === '') return [];
  const lines = wrapped(oneLine(paragraph, 2_000), width - 4);
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1]} ...`];
}

/** Words that TypeScript does not accept as the name of a parameter. */
const reserved: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof var void while with yield arguments eval'
  ).split(' '),
);
