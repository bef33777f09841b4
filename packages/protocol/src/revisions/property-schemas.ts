import { isObject } from '../json-rpc/json.js';
import type { Write } from './shape.js';

/** Property schemas that are true or false become objects: the handshake revisions require objects. */
export const withObjectProperties: Write = (schema) => {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(schema) || !isObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(entries.map(([name, property]) => [name, asObject(property)])),
  };
};

function asObject(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema;
  return schema ? {} : { not: {} };
}
