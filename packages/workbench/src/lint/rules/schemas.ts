import { checkSchema, dialectOf, patternCost } from '@tenon/json-schema';
import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import type { Tool } from '@tenon/mcp-client';
import { latestStateless } from '@tenon/mcp-protocol';
import { type LintPlace, type LintRule, quoted, rulesOf, toolPlace, toolRule } from './rule.js';
import { schemaPlaces } from './schema-places.js';
import type { LintSubject } from './subject.js';

interface ToolSchema {
  readonly tool: Tool;
  readonly place: LintPlace;
  /** The pointer of the schema in the tool. */
  readonly at: '/inputSchema' | '/outputSchema';
  readonly schema: UnknownObject;
}

/** Returns the input and output schemas of all tools. */
export function* schemasOf({ catalog }: LintSubject): Generator<ToolSchema> {
  for (const tool of catalog.tools) {
    const { inputSchema, outputSchema } = tool;
    const place = toolPlace(tool);
    if (isObject(inputSchema)) yield { tool, place, at: '/inputSchema', schema: inputSchema };
    if (isObject(outputSchema)) yield { tool, place, at: '/outputSchema', schema: outputSchema };
  }
}

const schemaRule = rulesOf(schemasOf);

const root = toolRule({
  id: 'schema-root',
  severity: 'error',
  about: 'The root of input schemas has "type": "object".',
  pointer: '/inputSchema/type',
  problem({ tool }) {
    if (isObject(tool.inputSchema) && tool.inputSchema.type === 'object') return undefined;
    return 'Clients reject an input schema whose root has no "type": "object". Add it.';
  },
});

const outputRoot = schemaRule({
  id: 'output-schema-root',
  severity: 'warning',
  about: `The root of output schemas has "type": "object", which revisions before ${latestStateless.id} require.`,
  pointer: '/type',
  problem({ at, schema }) {
    if (at !== '/outputSchema' || schema.type === 'object') return undefined;
    return `Clients of revisions before ${latestStateless.id} reject an output schema whose root has no "type": "object". Put the value into a property.`;
  },
});

const dialect = schemaRule({
  id: 'schema-dialect',
  severity: 'warning',
  about: 'Schemas are in JSON Schema 2020-12 or draft-07.',
  pointer: '/$schema',
  problem({ schema }) {
    if (dialectProblem(schema) === undefined) return undefined;
    return `The dialect ${quoted(String(schema.$schema))} is not widely supported. Use 2020-12, or leave "$schema" out.`;
  },
});

const invalid = schemaRule({
  id: 'schema-invalid',
  severity: 'error',
  about: 'Schemas are valid JSON Schema, and their references lead to a place inside of them.',
  problem: ({ schema }) => schemaProblem(schema),
});

const pattern: LintRule = {
  id: 'schema-pattern',
  severity: 'warning',
  about: 'Patterns are regular expressions that cannot take very long.',
  *check(subject) {
    const work = { left: mostPatternWork };
    for (const { place, at, schema } of schemasOf(subject)) {
      for (const inner of schemaPlaces(schema).places) {
        const names = isObject(inner.schema.patternProperties)
          ? Object.keys(inner.schema.patternProperties)
          : [];
        for (const text of [inner.schema.pattern, ...names]) {
          const problem = typeof text === 'string' ? patternProblem(text, work) : undefined;
          if (problem === undefined) continue;
          const pointer = `${at}${inner.pointer}/${text === inner.schema.pattern ? 'pattern' : 'patternProperties'}`;
          yield { place, pointer, message: `The pattern ${quoted(String(text))} ${problem}` };
        }
      }
    }
  },
};

/** Makes a rule about each schema, and the schemas inside of it. */
const innerRule = rulesOf(function* (subject: LintSubject) {
  for (const { place, at, schema: whole } of schemasOf(subject))
    for (const { schema, pointer } of schemaPlaces(whole).places)
      yield { place, at: `${at}${pointer}`, schema };
});

const formats = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri ' +
    'iri-reference uuid uri-template json-pointer relative-json-pointer regex'
  ).split(' '),
);

const format = innerRule({
  id: 'schema-format',
  severity: 'info',
  about: 'Formats are those of JSON Schema: clients ignore others or reject them.',
  pointer: '/format',
  problem({ schema }) {
    const value = schema.format;
    if (typeof value !== 'string' || formats.has(value)) return undefined;
    return `JSON Schema has no format ${quoted(value)}. Describe the format in the description, or use "pattern".`;
  },
});

const enumSize = innerRule({
  id: 'schema-enum-size',
  severity: 'warning',
  about: 'Lists of allowed values have at most as many values as the limit `enumValues`.',
  pointer: '/enum',
  problem({ schema }, { enumValues }) {
    const values = schema.enum;
    if (!Array.isArray(values) || values.length <= enumValues) return undefined;
    return `The list has ${values.length} values, which cost tokens in each request. Accept a text and check it, or offer a tool that searches.`;
  },
});

const depth = schemaRule({
  id: 'schema-depth',
  severity: 'warning',
  about: 'Schemas nest at most as deeply as the limit `schemaDepth`.',
  problem({ schema }, { schemaDepth }) {
    const deepest = schemaPlaces(schema).places.find((inner) => inner.depth > schemaDepth);
    if (deepest === undefined) return undefined;
    const message = `The schema nests more than ${schemaDepth} levels deep, which models fill in badly and some clients reject. Flatten it.`;
    return { pointer: deepest.pointer, message };
  },
});

const size = schemaRule({
  id: 'schema-size',
  severity: 'warning',
  about: 'Schemas have at most as many characters as the limit `schemaSize`.',
  problem({ schema }, { schemaSize }) {
    const { length } = JSON.stringify(schema);
    if (length <= schemaSize) return undefined;
    return `The schema has ${length} characters; the limit is ${schemaSize}. Split the tool, or accept fewer options.`;
  },
});

const cutSchema = schemaRule({
  id: 'schema-cut',
  severity: 'info',
  about: 'Schemas have at most 5,000 schemas inside; the rest is not checked.',
  problem({ schema }) {
    if (!schemaPlaces(schema).isCut) return undefined;
    return 'The schema has more than 5,000 schemas inside. The rest was not checked.';
  },
});

function dialectProblem(schema: UnknownObject): string | undefined {
  try {
    dialectOf(schema, '');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const problems = new WeakMap<object, { readonly text: string | undefined }>();

/** Returns why a schema is not valid, as sentences. Patterns and dialects are other rules. */
export function schemaProblem(schema: UnknownObject): string | undefined {
  const known = problems.get(schema);
  if (known !== undefined) return known.text;
  const text = findProblem(schema);
  problems.set(schema, { text });
  return text;
}

function findProblem(schema: UnknownObject): string | undefined {
  const dialect = dialectProblem(schema) === undefined ? dialectOf(schema, '') : '2020-12';
  try {
    checkSchema(schema, { owner: 'The schema', dialect });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return /\bpattern(?:Properties)? /.test(message) ? undefined : `${message}.`;
  }
}

/** Steps spent on the patterns of one server; the rest of them is not checked. */
const mostPatternWork = 20_000_000;
const mostWorkOfOne = 200_000;

function patternProblem(text: string, budget: { left: number }): string | undefined {
  if (budget.left <= 0) return undefined;
  const work = { left: mostWorkOfOne };
  try {
    patternCost(text, work);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    if (/regular expression/.test(message))
      return 'is not a regular expression with the flag "u", so clients reject or ignore it. Correct it.';
    return 'can take very long for some texts. Avoid nested repeats, such as (a+)+.';
  } finally {
    budget.left -= mostWorkOfOne - work.left;
  }
}

/** Rules about the schemas of tools. */
export const schemaRules: readonly LintRule[] = [
  root,
  outputRoot,
  dialect,
  invalid,
  pattern,
  format,
  enumSize,
  depth,
  size,
  cutSchema,
];
