import { redact } from '@tenon/redaction';
import { redactThoroughly } from '@tenon/redaction/thorough';

/** Limits beyond the size of any message: a message with parts left out could not be replayed. */
const options = { text: redactThoroughly, depth: 1_000, values: 10_000_000, characters: 256 << 20 };

/** Members that contain a schema: a property called `password` is not a secret there. */
const schemas: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** Returns a message without secrets. In schemas, only texts are cleaned. */
export function withoutSecrets(message: unknown): unknown {
  const clean = redact(message, options);
  return clean === message ? message : withSchemas(clean, message);
}

function withSchemas(clean: unknown, original: unknown): unknown {
  if (typeof clean !== 'object' || clean === null || clean === original) return clean;
  if (typeof original !== 'object' || original === null) return clean;
  if (Array.isArray(clean)) return clean.map((item, index) => withSchemas(item, memberOf(original, index)));
  return mapped(clean, (name, item) => {
    const was = memberOf(original, name);
    return schemas.has(name) ? withTextsRedacted(was) : withSchemas(item, was);
  });
}

function withTextsRedacted(value: unknown): unknown {
  if (typeof value === 'string') return redactThoroughly(value);
  if (Array.isArray(value)) return value.map(withTextsRedacted);
  if (typeof value !== 'object' || value === null) return value;
  return mapped(value, (_, item) => withTextsRedacted(item));
}

function mapped(value: object, change: (name: string, item: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(name, item)]));
}

function memberOf(value: object, name: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[name];
}
