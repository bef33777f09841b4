import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import { type LintProblem, type LintRule, quoted, toolPlace, toolRule } from './rule.js';
import { schemaPlaces } from './schema-places.js';
import type { LintSubject } from './subject.js';

const combinations = ['anyOf', 'oneOf', 'allOf'];

const rootCombination: LintRule = {
  id: 'schema-root-combination',
  severity: 'error',
  about: 'The root of input schemas has no "anyOf", "oneOf" and "allOf", which the Anthropic API rejects.',
  *check({ catalog }) {
    for (const tool of catalog.tools) {
      const keyword = combinations.find((name) => tool.inputSchema[name] !== undefined);
      if (keyword === undefined) continue;
      yield {
        place: toolPlace(tool),
        pointer: `/inputSchema/${keyword}`,
        message: `The Anthropic API rejects all tools of a request because of "${keyword}" at the root. Move it into a property, or make the properties optional and check them in the tool.`,
      };
    }
  },
};

const arrayItems: LintRule = {
  id: 'schema-array-items',
  severity: 'error',
  about: 'Arrays in input schemas have "items", without which VS Code rejects the tool.',
  *check(subject) {
    yield* eachInput(subject, (schema) => {
      const isArray =
        schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
      if (!isArray || schema.items !== undefined || schema.prefixItems !== undefined) return undefined;
      return ['', 'VS Code rejects a tool with an array that has no "items". Add the schema of its members.'];
    });
  },
};

/** Keywords that the schemas of Gemini and strict schemas of OpenAI do not have, or that clients remove. */
const unportable = [
  '$ref',
  '$dynamicRef',
  'oneOf',
  'allOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  'prefixItems',
  'contains',
  'contentSchema',
];

const keywords: LintRule = {
  id: 'schema-keywords',
  severity: 'info',
  about: 'Input schemas use keywords that known clients keep; see `tenon compat` for the clients.',
  *check({ catalog }) {
    for (const tool of catalog.tools) {
      const used = new Set<string>();
      for (const { schema, depth } of schemaPlaces(tool.inputSchema).places) {
        for (const keyword of unportable)
          if (schema[keyword] !== undefined && !(depth === 0 && combinations.includes(keyword)))
            used.add(keyword);
        if (Array.isArray(schema.type)) used.add('a list in "type"');
        if (isObject(schema.additionalProperties)) used.add('a schema in "additionalProperties"');
      }
      if (used.size === 0) continue;
      yield {
        place: toolPlace(tool),
        pointer: '/inputSchema',
        message: `Some clients remove or reject ${[...used].map((word) => (/ /.test(word) ? word : quoted(word))).join(', ')}. Check the arguments in the tool too.`,
      };
    }
  },
};

const open = toolRule({
  id: 'schema-open',
  severity: 'info',
  about: 'Input schemas say whether other parameters are allowed: "additionalProperties": false.',
  pointer: '/inputSchema/additionalProperties',
  problem({ tool }) {
    const { additionalProperties, unevaluatedProperties } = tool.inputSchema;
    if (additionalProperties !== undefined || unevaluatedProperties !== undefined) return undefined;
    return 'Parameters that are not defined are accepted without a word. Add "additionalProperties": false, which strict modes of models need too.';
  },
});

function* eachInput(
  { catalog }: LintSubject,
  check: (schema: UnknownObject) => readonly [pointer: string, message: string] | undefined,
): Generator<LintProblem> {
  for (const tool of catalog.tools)
    for (const { schema, pointer } of schemaPlaces(tool.inputSchema).places) {
      const problem = check(schema);
      if (problem === undefined) continue;
      yield {
        place: toolPlace(tool),
        pointer: `/inputSchema${pointer}${problem[0]}`,
        message: problem[1],
      };
    }
}

/** Rules about schemas that some clients do not accept. */
export const portabilityRules: readonly LintRule[] = [rootCombination, arrayItems, keywords, open];
