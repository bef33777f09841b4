import { isVisible } from '../text/visible-text.js';
import type { References } from './plain-schema.js';

/** The part of JSON Schema that a format of models accepts. */
export interface Dialect {
  /** References as the format allows them. */
  readonly references: References;
  /** True for the name of a member of an object that the format accepts. */
  readonly allowsMember: (name: string) => boolean;
  /** True if a list without `items` is rejected. */
  readonly wantsItems: boolean;
  /** The keywords of a format that accepts few; undefined if it accepts all. */
  readonly narrow?: NarrowDialect;
}

/** The keywords of a format that accepts few. */
export interface NarrowDialect {
  readonly keywords: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  /** The values of `enum` that are accepted. */
  readonly isValue: (value: unknown) => boolean;
  /** The highest `minItems`. Default: any. */
  readonly mostMinItems?: number;
  /** True if the model can send only what the schema names: every object is closed, and every value has a type. */
  readonly isStrict: boolean;
  /** True if every member is required, so an optional one accepts null. */
  readonly requiresAll: boolean;
}

const isPrimitive = (value: unknown): boolean => value === null || typeof value !== 'object';
const isReadable = (name: string): boolean => name.length <= 256 && isVisible(name);
const common = [
  ...['type', 'title', 'description', 'enum', 'properties', 'required', 'additionalProperties', 'items'],
  ...['anyOf', '$ref', '$defs'],
];

/**
 * Anthropic: any keyword of 2020-12, but no `anyOf`, `oneOf` or `allOf` at the root, which holds for all formats here, and names of
 * members that match this pattern (https://github.com/anthropics/claude-code/issues/34771: one other name fails the request).
 */
export const anthropic: Dialect = {
  references: 'recursive',
  allowsMember: (name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name),
  wantsItems: false,
};

/**
 * Strict tools of Anthropic: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations, and
 * `transformJSONSchema` of `@anthropic-ai/sdk`. Nothing recursive, no sizes of texts, numbers and lists.
 */
export const anthropicStrict: Dialect = {
  ...anthropic,
  references: 'cut',
  narrow: {
    keywords: new Set([...common, 'const', 'format', 'minItems']),
    formats: new Set([
      ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
    ]),
    isValue: isPrimitive,
    mostMinItems: 1,
    isStrict: true,
    requiresAll: false,
  },
};

/**
 * OpenAI without strict mode: any keyword, but lists need `items` and the root needs `properties`
 * (https://github.com/bnb-chain/bnbchain-mcp/issues/68).
 */
export const openai: Dialect = { references: 'recursive', allowsMember: isReadable, wantsItems: true };

/**
 * Strict mode of OpenAI: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. Lengths of texts are not in the
 * list of the guide, so they go to the description. `uri` is not a format there (https://github.com/posit-dev/chatlas/pull/255).
 */
export const openaiStrict: Dialect = {
  ...openai,
  narrow: {
    keywords: new Set([
      ...common,
      ...['const', 'format', 'pattern', 'minItems', 'maxItems'],
      ...['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
    ]),
    formats: new Set([
      ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
    ]),
    isValue: isPrimitive,
    isStrict: true,
    requiresAll: true,
  },
};

/**
 * `parametersJsonSchema` of Gemini, which loses less than `parameters`: the latter is a subset of OpenAPI 3.0, and fails on the
 * first unknown keyword (https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099). The keywords are those
 * that `responseJsonSchema` documents (https://ai.google.dev/api/generate-content#generationconfig). References may be
 * recursive only below optional members there, so recursion is cut. Names of members: `parameters` in
 * https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration.
 */
export const gemini: Dialect = {
  references: 'cut',
  allowsMember: (name) => /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name),
  wantsItems: true,
  narrow: {
    keywords: new Set([
      ...common,
      ...['format', 'prefixItems', 'minItems', 'maxItems', 'minimum', 'maximum'],
    ]),
    formats: new Set([...['date-time', 'date', 'time', 'float', 'double', 'int32', 'int64']]),
    isValue: (value) => typeof value === 'string' || typeof value === 'number',
    isStrict: false,
    requiresAll: false,
  },
};
