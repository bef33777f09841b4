import { isObject, type UnknownObject } from '@tenon/json-schema/structure';
import { typesOf } from './rewriting.js';

/**
 * Returns a schema of an older draft, or of OpenAPI 3.0, with the keywords of 2020-12. Many generators write these whatever dialect they
 * name, so the dialect does not matter here. Returns the same object if nothing changes.
 */
export function modernKeywords(schema: UnknownObject): UnknownObject {
  const changes: { [keyword: string]: unknown } = {};
  if (Array.isArray(schema.items)) {
    changes.prefixItems = schema.items;
    changes.items = schema.additionalItems;
  }
  if (isObject(schema.dependencies)) {
    const all = Object.entries(schema.dependencies);
    changes.dependentRequired = Object.fromEntries(all.filter(([, value]) => Array.isArray(value)));
    changes.dependentSchemas = Object.fromEntries(all.filter(([, value]) => !Array.isArray(value)));
  }
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    changes[exclusive] = schema[exclusive] ? schema[inclusive] : undefined;
    if (schema[exclusive]) changes[inclusive] = undefined;
  }
  const types = typesOf(schema);
  if (schema.nullable === true && types.length > 0 && !types.includes('null')) {
    changes.type = [...types, 'null'];
    if (Array.isArray(schema.enum) && !schema.enum.includes(null)) changes.enum = [...schema.enum, null];
  }
  return Object.keys(changes).length === 0 ? schema : { ...schema, ...changes };
}
