import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import { patternCost } from '../patterns/cost.js';

/** A JSON Schema dialect this package validates. */
export type Dialect = '2020-12' | 'draft-07';

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** The `$schema` URI of 2020-12, the dialect of schemas without `$schema`. */
export const defaultDialectUri = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the dialect of a schema.
 *
 * @throws TypeError if the dialect is not supported; the message names the supported ones.
 */
export function dialectOf(schema: UnknownObject, owner: string): Dialect {
  const uri = schema.$schema;
  if (uri === undefined) return '2020-12';
  const dialect = typeof uri === 'string' ? dialects.get(uri.replace(/#$/, '')) : undefined;
  if (dialect !== undefined) return dialect;
  const supported = [...dialects.keys()].map((known) => `"${known}"`).join(' and ');
  throw new TypeError(
    `${owner}: the dialect ${JSON.stringify(uri)} in "$schema" is not supported; ` +
      `supported are ${supported}, and without "$schema" it is 2020-12`,
  );
}

const typeNames: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'object',
  'array',
]);

/** The owner and the dialect of a schema that is checked. */
export interface Checked {
  readonly owner: string;
  readonly dialect: Dialect;
}

/**
 * Finds the most common mistakes at registration. The validator checks the rest of the schema.
 *
 * @param at - the place of the schema for error texts: dotted, empty at the root.
 * @throws TypeError that names the owner, the place in the schema, and the fix.
 */
export function checkKeywords(schema: UnknownObject, at: string, { owner, dialect }: Checked): void {
  const fail = (keyword: string, problem: string): never => {
    throw new TypeError(`${owner}: ${at === '' ? '' : `${at}.`}${keyword} ${problem}`);
  };
  const { type, required, pattern } = schema;
  for (const name of Array.isArray(type) ? type : [type])
    if (name !== undefined && !typeNames.has(name))
      fail('type', `is ${JSON.stringify(name)}; use one of ${[...typeNames].join(', ')}`);
  if (required !== undefined && !isStringList(required))
    fail('required', 'must be a list of property names on the object schema, as in required: ["city"]');
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) fail('enum', 'must be a list of values');
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
    const list = schema[keyword];
    if (list !== undefined && !(Array.isArray(list) && list.length > 0))
      fail(keyword, 'must be a list with at least one schema');
  }
  if (dialect === '2020-12' && Array.isArray(schema.items))
    fail('items', 'is a list, which 2020-12 writes as "prefixItems"');
  const problem = pattern === undefined ? undefined : patternProblem(pattern);
  if (problem !== undefined) fail('pattern', problem);
  const { patternProperties } = schema;
  for (const name of isObject(patternProperties) ? Object.keys(patternProperties) : []) {
    const problem = patternProblem(name);
    if (problem !== undefined) fail('patternProperties', `${JSON.stringify(name.slice(0, 80))} ${problem}`);
  }
  if (dialect === '2020-12' && schema.dependencies !== undefined)
    fail('dependencies', 'is not in 2020-12, which has "dependentRequired" and "dependentSchemas" instead');
  // Ajv would make the validator asynchronous, and a promise would count as success.
  if (schema.$async !== undefined) fail('$async', 'is not JSON Schema; remove it');
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Results for patterns that were checked before: libraries write the same patterns into every schema. */
const knownProblems = new Map<string, string | undefined>();
const mostKnown = 1_000;

function patternProblem(pattern: unknown): string | undefined {
  if (!isPattern(pattern)) return 'must be a regular expression that is valid with the "u" flag';
  if (knownProblems.has(pattern)) return knownProblems.get(pattern);
  const problem = costProblem(pattern);
  const [oldest] = knownProblems.keys();
  if (knownProblems.size >= mostKnown && oldest !== undefined) knownProblems.delete(oldest);
  knownProblems.set(pattern, problem);
  return problem;
}

function costProblem(pattern: string): string | undefined {
  try {
    patternCost(pattern);
    return undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return `could take forever on a text made for that (${reason}); let no two repeats take the same text`;
  }
}

function isPattern(value: unknown): value is string {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
