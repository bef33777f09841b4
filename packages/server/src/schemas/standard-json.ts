import { defaultDialectUri, withObjectRoot } from '@tenon/json-schema';
import type { SchemaObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { JsonSchemaConverter, StandardSchema } from './standard.js';

const fixes: ReadonlyMap<string, string> = new Map([
  ['zod', 'use zod 4.2 or newer'],
  ['arktype', 'use arktype 2.1.28 or newer'],
  ['valibot', 'wrap it: toStandardJsonSchema(schema) from @valibot/to-json-schema 1.5 or newer'],
]);

/** The owner of a schema, and the direction to list. */
export interface Listed {
  readonly owner: string;
  readonly direction: 'input' | 'output';
}

/**
 * Returns the JSON Schema of a Standard Schema.
 *
 * @throws TypeError if the library returns none or cannot express this schema in JSON Schema.
 */
export function standardJson(schema: StandardSchema, { owner, direction }: Listed): SchemaObject {
  const standard = schema['~standard'];
  const converter: Partial<JsonSchemaConverter> | undefined = standard.jsonSchema;
  if (typeof converter?.[direction] !== 'function') {
    const vendor = String(standard.vendor);
    const fix = fixes.get(vendor) ?? 'use a version of it with "~standard".jsonSchema, or plain JSON Schema';
    throw new TypeError(`${owner}: this ${vendor} schema gives no JSON Schema to list; ${fix}`);
  }
  return withoutDefaultDialect(convert(converter as JsonSchemaConverter, { owner, direction }));
}

function convert(converter: JsonSchemaConverter, { owner, direction }: Listed): SchemaObject {
  let json: unknown;
  try {
    json = converter[direction]({ target: 'draft-2020-12' });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `${owner}: the schema cannot be written as JSON Schema (${reason}); ` +
        'use types that JSON has, or plain JSON Schema',
      { cause },
    );
  }
  if (typeof (json as { then?: unknown } | undefined)?.then === 'function')
    throw new TypeError(
      `${owner}: the schema library gives its JSON Schema as a promise, where it must be there at once; ` +
        'use plain JSON Schema instead',
    );
  if (isObject(json)) return json;
  throw new TypeError(
    `${owner}: the schema library gave no JSON Schema object; use plain JSON Schema instead`,
  );
}

/** Generated schemas name the default dialect, which the validators of older peers do not know. */
function withoutDefaultDialect(json: SchemaObject): SchemaObject {
  if (json.$schema !== defaultDialectUri) return json;
  const { $schema: _, ...rest } = json;
  return rest;
}

/**
 * Returns the schema of an input with `type: "object"` at its root.
 *
 * @throws TypeError if the schema accepts other values.
 */
export function objectRoot(json: SchemaObject, owner: string): SchemaObject {
  const rooted = withObjectRoot(json);
  if (rooted !== undefined) return rooted;
  throw new TypeError(
    `${owner}: the schema must describe an object, because arguments have names; ` +
      'wrap it, as in z.object({ value: ... })',
  );
}
