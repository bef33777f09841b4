import { redactWithin, secrecyOf } from '@tenon/foundation/redaction';
import { redactThoroughly } from '@tenon/foundation/redaction/thorough';

/** Limits beyond the size of any message: a message with parts left out could not be replayed. */
const bounds = { depth: 1_000, values: 10_000_000, characters: 256 << 20 };

/** Members that contain a schema: a property called `password` is not a secret there. */
const schemas: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);
/** Keywords of a schema that contain schemas by name. */
const named: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
]);
/** Keywords of a schema that contain values: those of a property called `password` are secrets. */
const valued: ReadonlySet<string> = new Set(['default', 'const', 'examples', 'example']);

/** Returns a message without secrets. In schemas, texts and values are cleaned, and names stay. */
export function withoutSecrets(message: unknown): unknown {
  const clean = redactWithin(message, bounds, redactThoroughly);
  return clean === message ? message : withSchemas(clean, message);
}

function withSchemas(clean: unknown, original: unknown): unknown {
  if (typeof clean !== 'object' || clean === null || clean === original) return clean;
  if (typeof original !== 'object' || original === null) return clean;
  if (Array.isArray(clean)) return clean.map((item, index) => withSchemas(item, memberOf(original, index)));
  return mapped(clean, (name, item) => {
    const was = memberOf(original, name);
    return schemas.has(name) ? cleanSchema(was, undefined) : withSchemas(item, was);
  });
}

/** @param secret - the name of the property, if it declares a secret. */
function cleanSchema(schema: unknown, secret: string | undefined): unknown {
  if (typeof schema === 'string') return redactThoroughly(schema);
  if (Array.isArray(schema)) return schema.map((item) => cleanSchema(item, secret));
  if (typeof schema !== 'object' || schema === null) return schema;
  return mapped(schema, (keyword, item) => {
    if (valued.has(keyword)) return cleanValue(item, secret);
    if (!named.has(keyword) || typeof item !== 'object' || item === null) return cleanSchema(item, secret);
    return mapped(item, (name, part) => cleanSchema(part, secrecyOf(name) === undefined ? secret : name));
  });
}

function cleanValue(value: unknown, secret: string | undefined): unknown {
  if (secret === undefined) return withoutSecrets(value);
  return memberOf(redactWithin({ [secret]: value }, bounds, redactThoroughly) as object, secret);
}

function mapped(value: object, change: (name: string, item: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(name, item)]));
}

function memberOf(value: object, name: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[name];
}
