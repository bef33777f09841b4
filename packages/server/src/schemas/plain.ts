import type { SchemaObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { isStandardSchema } from './standard.js';

/**
 * Checks that a value is a plain JSON Schema object and not a value that is often mistaken for one.
 *
 * @throws TypeError that names the owner and the fix.
 */
export function plainSchema(schema: unknown, owner: string): SchemaObject {
  const kind = mistaken(schema);
  if (kind !== undefined || !isObject(schema))
    throw new TypeError(
      `${owner}: expected a schema of zod, valibot or arktype, or a plain JSON Schema object, not ${kind}`,
    );
  const prototype: unknown = Object.getPrototypeOf(schema);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (!isPlain || '_def' in schema || '~run' in schema || typeof schema.parse === 'function')
    throw new TypeError(
      `${owner}: this is neither a Standard Schema nor a plain JSON Schema object; ` +
        'use zod 4.2, arktype 2.1.28 or newer, or valibot with toStandardJsonSchema(schema)',
    );
  if (Object.values(schema).some(isStandardSchema))
    throw new TypeError(
      `${owner}: this is an object of schemas; make it one schema, as in z.object({ ... })`,
    );
  return schema;
}

/** Returns the description of an invalid schema, and the fix. */
function mistaken(value: unknown): string | undefined {
  if (typeof value === 'function')
    return /^class\b/.test(Function.prototype.toString.call(value))
      ? 'a class; describe its members'
      : 'a function; call it, if it makes a schema';
  if (typeof value === 'string') return 'a string; parse it first, if it is JSON';
  if (Array.isArray(value)) return 'a list; for one of several schemas use anyOf';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (value === null) return 'null; leave the option out where there is no schema';
  return typeof (value as { then?: unknown }).then === 'function' ? 'a promise; await it first' : undefined;
}

/**
 * Checks that the root of an input's schema describes an object; the schema is listed unchanged.
 *
 * @throws TypeError that names the owner and the fix.
 */
export function requireObjectRoot(schema: SchemaObject, owner: string): void {
  if (schema.type !== 'object')
    throw new TypeError(`${owner}: the root of the JSON Schema must say type: "object"; add it`);
}
