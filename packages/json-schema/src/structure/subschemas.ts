import { isObject, type UnknownObject } from './json.js';

/** A schema found inside another one. */
export interface Subschema {
  /** The keys that lead to it: the keyword, then the name or index if the keyword has several. */
  readonly keys: readonly [keyword: string, name?: string];
  /** The value there; a malformed schema may have any value. */
  readonly schema: unknown;
}

const single = [
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
] as const;
const named = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'dependencies',
] as const;
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/** Returns the schemas directly inside a JSON Schema of 2020-12 or draft-07. Data, as in `default`, contains no schemas. */
export function subschemas(schema: UnknownObject): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of single) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (keyword === 'items' && Array.isArray(value)) addList(found, keyword, value);
    else found.push({ keys: [keyword], schema: value });
  }
  for (const keyword of named) {
    const value = schema[keyword];
    if (!isObject(value)) continue;
    for (const name of Object.keys(value)) {
      const inner = value[name];
      // In draft-07 a dependency may also be a list of property names.
      if (keyword === 'dependencies' && Array.isArray(inner)) continue;
      found.push({ keys: [keyword, name], schema: inner });
    }
  }
  for (const keyword of listed) {
    const value = schema[keyword];
    if (Array.isArray(value)) addList(found, keyword, value);
  }
  return found;
}

function addList(found: Subschema[], keyword: string, list: readonly unknown[]): void {
  for (let index = 0; index < list.length; index++)
    found.push({ keys: [keyword, String(index)], schema: list[index] });
}
