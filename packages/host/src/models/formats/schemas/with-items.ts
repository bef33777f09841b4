import { subschemas } from '@tenon/json-schema/structure';
import { type Schema, typesOf } from './rewriting.js';

/**
 * Adds `items` to the lists of a schema that have none, which OpenAI rejects ("array schema missing items"). It changes the schema,
 * which is a copy, and returns it.
 */
export function withItems(root: Schema, isWanted: boolean): Schema {
  const open = isWanted ? [root] : [];
  const seen = new Set<Schema>();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (typesOf(schema).includes('array') && schema.items === undefined) schema.items = {};
    for (const { schema: inner } of subschemas(schema))
      if (typeof inner === 'object' && inner !== null) open.push(inner as Schema);
  }
  return root;
}
