import { isObject } from '@tenon/json-schema/structure';
import { type LintRule, quoted, rulesOf, toolPlace, toolRule } from './rule.js';
import { schemaPlaces } from './schema-places.js';

const combinations = ['anyOf', 'oneOf', 'allOf'];

const rootCombination = toolRule({
  id: 'schema-root-combination',
  severity: 'error',
  about: 'The root of input schemas has no "anyOf", "oneOf" and "allOf", which the Anthropic API rejects.',
  problem({ tool }) {
    const keyword = combinations.find((one) => tool.inputSchema[one] !== undefined);
    if (keyword === undefined) return undefined;
    const message = `The Anthropic API rejects all tools of a request because of "${keyword}" at the root. Move it into a property, or make the properties optional and check them in the tool.`;
    return { pointer: `/inputSchema/${keyword}`, message };
  },
});

/** Makes a rule about the input schema of each tool, and the schemas inside of it. */
const inputRule = rulesOf(({ catalog }) =>
  catalog.tools.flatMap((tool) =>
    schemaPlaces(tool.inputSchema).places.map(({ schema, pointer }) => ({
      ...{ place: toolPlace(tool), at: `/inputSchema${pointer}`, schema },
    })),
  ),
);

const arrayItems = inputRule({
  id: 'schema-array-items',
  severity: 'error',
  about: 'Arrays in input schemas have "items", without which VS Code rejects the tool.',
  problem({ schema: { type, items, prefixItems } }) {
    const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
    if (!isArray || items !== undefined || prefixItems !== undefined) return undefined;
    return 'VS Code rejects a tool with an array that has no "items". Add the schema of its members.';
  },
});

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

const keywords = toolRule({
  id: 'schema-keywords',
  severity: 'info',
  about: 'Input schemas use keywords that known clients keep; see `tenon compat` for the clients.',
  pointer: '/inputSchema',
  problem({ tool }) {
    const used = new Set<string>();
    for (const { schema, depth } of schemaPlaces(tool.inputSchema).places) {
      for (const keyword of unportable)
        if (schema[keyword] !== undefined && !(depth === 0 && combinations.includes(keyword)))
          used.add(keyword);
      if (Array.isArray(schema.type)) used.add('a list in "type"');
      if (isObject(schema.additionalProperties)) used.add('a schema in "additionalProperties"');
    }
    if (used.size === 0) return undefined;
    const words = [...used].map((word) => (/ /.test(word) ? word : quoted(word)));
    return `Some clients remove or reject ${words.join(', ')}. Check the arguments in the tool too.`;
  },
});

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

/** Rules about schemas that some clients do not accept. */
export const portabilityRules: readonly LintRule[] = [rootCombination, arrayItems, keywords, open];
