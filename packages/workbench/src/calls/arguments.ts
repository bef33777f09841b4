import { didYouMean } from '@tenon/foundation';
import { interpret, type SchemaDialect } from '@tenon/json-schema/interpreter';
import type { Tool } from '@tenon/mcp-client';
import type { JsonValue } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '../failures/workbench-error.js';
import type { CallExpression } from './call-expression.js';
import { resolved, typeOf } from './schema-type.js';
import { type Parameter, parametersOf } from './signature.js';
import { type ReadFile, type WordArgument, wordValue } from './word-arguments.js';

/** The arguments of a call. */
export type Arguments = { readonly [name: string]: JsonValue };

/** The places from which the arguments of a call come; later ones replace earlier ones of the same name. */
interface ArgumentSources {
  /** A JSON object, sent as it is. */
  readonly json?: Arguments | undefined;
  readonly expression?: CallExpression | undefined;
  readonly words?: readonly WordArgument[];
  /** Reads the file of `name=@file`. */
  readonly readFile: ReadFile;
}

type CalledTool = Pick<Tool, 'name' | 'inputSchema'>;

/**
 * Returns the arguments of a call, words converted to the types of the input schema.
 * @throws WorkbenchError `usage` for unknown names and values that the schema does not allow.
 */
export async function argumentsOf(tool: CalledTool, sources: ArgumentSources): Promise<Arguments> {
  const { json, expression, words = [], readFile } = sources;
  const values = new Map<string, JsonValue>(Object.entries(json ?? {}));
  for (const [name, value] of expressionArguments(tool, expression)) values.set(name, value);
  const given = new Set<string>();
  for (const word of words) {
    const { path, value } = await wordValue(word, tool, readFile);
    const [name = ''] = path;
    requireKnown(tool, name);
    const isNew = !given.has(word.name);
    values.set(name, placed(values.get(name), { path: path.slice(1), value, isNew, word: word.name }));
    given.add(word.name);
  }
  return Object.fromEntries(values);
}

/** Returns the required parameters of a tool that have no value yet. */
export function missingArguments({ inputSchema }: CalledTool, values: Arguments): Parameter[] {
  return parametersOf(inputSchema).filter(
    ({ name, isRequired }) => isRequired && !Object.hasOwn(values, name),
  );
}

/** Returns the error for required arguments without a value: their names and types. */
export function missingArgumentsError(tool: CalledTool, missing: readonly Parameter[]): WorkbenchError {
  const lines = missing.map(
    ({ name, schema }) => `  ${name}: ${typeOf(schema, { root: tool.inputSchema, brief: true })}`,
  );
  const title = missing.length === 1 ? 'An argument is missing' : `${missing.length} arguments are missing`;
  const example = missing.slice(0, 3).map(({ name }) => `${name}=...`);
  return new WorkbenchError('usage', `${title} for the tool "${tool.name}":\n${lines.join('\n')}`, {
    hint: `Write ${example.join(' ')}, or pass JSON with --args.`,
  });
}

/** Returns the problems of arguments by the input schema, each with the path of the value. A schema that cannot be checked has none. */
export function argumentProblems({ inputSchema }: CalledTool, values: Arguments): string[] {
  const uri = inputSchema.$schema;
  const dialect = dialects.get(typeof uri === 'string' ? uri.replace(/#$/, '') : uri);
  if (dialect === undefined) return [];
  try {
    const issues = interpret(inputSchema, { dialect, mostIssues: 10 })(values) ?? [];
    return issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
    );
  } catch {
    // The schema is rejected, or the check takes too long: the server decides.
    return [];
  }
}

const dialects: ReadonlyMap<unknown, SchemaDialect> = new Map<unknown, SchemaDialect>([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** Returns the tool with a name. @throws WorkbenchError `usage` that lists the names meant. */
export function toolNamed<T extends Pick<Tool, 'name'>>(name: string, tools: readonly T[]): T {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  throw unknownName({ kind: 'tool', name, names: tools.map((one) => one.name) });
}

/** Returns the error for a name that a server does not list. */
export function unknownName({
  kind,
  name,
  names,
}: {
  kind: string;
  name: string;
  names: readonly string[];
}): WorkbenchError {
  const hint = didYouMean(name, names) ?? `The server has ${listedNames(kind, names)}.`;
  return new WorkbenchError('usage', `The server has no ${kind} "${name}".`, { hint });
}

/** Returns names for the end of a sentence: `no tools`, `one tool, echo`, `the tools add and echo`, cut to the first ten. */
export function listedNames(kind: string, names: readonly string[]): string {
  const [only, ...others] = names;
  if (only === undefined) return `no ${kind}s`;
  if (others.length === 0) return `one ${kind}, ${only}`;
  return `the ${kind}s ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' and more' : ''}`;
}

function expressionArguments(
  tool: CalledTool,
  expression: CallExpression | undefined,
): [string, JsonValue][] {
  if (expression === undefined) return [];
  const { positional, named } = expression;
  const parameters = parametersOf(tool.inputSchema);
  const [first] = positional;
  if (positional.length === 1 && isObject(first) && isWhole(first, parameters))
    return [...Object.entries(first as Arguments), ...Object.entries(named)];
  if (positional.length > parameters.length) {
    throw new WorkbenchError(
      'usage',
      `The tool "${tool.name}" has ${parameters.length} parameters; the call has ${positional.length} values without names.`,
    );
  }
  const placedValues = positional.map((value, index): [string, JsonValue] => [
    parameters[index]?.name ?? '',
    value,
  ]);
  for (const [name] of placedValues) {
    if (Object.hasOwn(named, name))
      throw new WorkbenchError(
        'usage',
        `The argument "${name}" has two values: one by its place, one by its name.`,
      );
  }
  for (const name of Object.keys(named)) requireKnown(tool, name);
  return [...placedValues, ...Object.entries(named)];
}

/** True for `tool({ a: 1 })`: the object holds all arguments, and is not the first of them. */
function isWhole(value: object, parameters: readonly Parameter[]): boolean {
  const names = new Set(parameters.map(({ name }) => name));
  return Object.keys(value).every((name) => names.has(name)) || names.size === 0;
}

/** @throws WorkbenchError `usage` for a name that the input schema does not have. */
function requireKnown({ name: tool, inputSchema }: CalledTool, name: string): void {
  const schema = resolved(inputSchema, inputSchema);
  const names = parametersOf(inputSchema).map((parameter) => parameter.name);
  if (!isObject(schema) || names.includes(name)) return;
  const { additionalProperties: more, patternProperties } = schema;
  const isVaried = ['oneOf', 'anyOf', 'allOf', 'if'].some((keyword) => schema[keyword] !== undefined);
  if (more === true || isObject(more) || isObject(patternProperties) || isVaried) return;
  if (names.length === 0 && more !== false && schema.properties === undefined) return;
  throw new WorkbenchError('usage', `The tool "${tool}" has no argument "${name}".`, {
    hint: didYouMean(name, names) ?? `The tool has ${listedNames('argument', names)}.`,
  });
}

interface Placing {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** False if an earlier word has the same name. */
  readonly isNew: boolean;
  readonly word: string;
}

/** Puts a value at a path below a value. Lists of words with the same name are joined. @throws WorkbenchError `usage` for other values */
function placed(before: JsonValue | undefined, { path, ...placing }: Placing): JsonValue {
  const [name, ...rest] = path;
  const { value, isNew, word } = placing;
  if (name === undefined) {
    if (isNew || before === undefined) return value;
    if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
    throw new WorkbenchError('usage', `The argument "${word}" has two values.`);
  }
  const object = isObject(before) ? (before as Arguments) : {};
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  return Object.fromEntries([
    ...Object.entries(object).filter(([other]) => other !== name),
    [name, placed(inner, { path: rest, ...placing })],
  ]);
}
