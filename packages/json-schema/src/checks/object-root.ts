import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  resolveReference,
  type UnknownObject,
} from '@tenon/json-schema/structure';

/** The most schemas followed to find out whether a root accepts only objects. */
const maxSteps = 1_000;

/**
 * Returns the schema with `type: "object"` at its root if its union, intersection or reference accepts only objects.
 * Undefined if the root accepts other values.
 */
export function withObjectRoot(schema: UnknownObject): UnknownObject | undefined {
  if (schema.type === 'object') return schema;
  if (schema.type !== undefined) return undefined;
  const targets = noSchemaTargets();
  const base = addSchemaTarget(targets, schema, undefined);
  const trail = new Set<unknown>();
  let steps = 0;

  function admitsObjectsOnly(value: unknown): boolean {
    if (!isObject(value)) return value === false;
    // A schema inside itself accepts no additional values.
    if (trail.has(value)) return true;
    if (++steps > maxSteps) return false;
    trail.add(value);
    const only = looksLikeObjects(value);
    trail.delete(value);
    return only;
  }

  function looksLikeObjects(value: UnknownObject): boolean {
    if (value.type !== undefined) return value.type === 'object';
    const { $ref, anyOf, oneOf, allOf } = value;
    if (typeof $ref === 'string') {
      const target = resolveReference(targets, $ref, base);
      if (typeof target === 'object' && admitsObjectsOnly(target.found)) return true;
    }
    if (
      [anyOf, oneOf].some(
        (union) => Array.isArray(union) && union.length > 0 && union.every(admitsObjectsOnly),
      )
    )
      return true;
    return Array.isArray(allOf) && allOf.some(admitsObjectsOnly);
  }

  return admitsObjectsOnly(schema) ? { type: 'object', ...schema } : undefined;
}
