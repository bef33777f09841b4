import { type Schema, typesOf } from './rewriting.js';

/** Returns a schema for the same values and null. */
export function nullable(schema: Schema): Schema {
  if (acceptsNull(schema)) return schema;
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  const { $ref, const: value, ...rest } = schema;
  if ($ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = typesOf(schema);
  const values = value === undefined ? schema.enum : [value];
  return {
    ...rest,
    ...(types.length > 0 && { type: [...types, 'null'] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

function acceptsNull(schema: Schema): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes('null')) return false;
  if (schema.const !== undefined) return schema.const === null;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as Schema[]).some(acceptsNull);
  return types.includes('null');
}
