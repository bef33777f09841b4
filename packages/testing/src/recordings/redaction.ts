import { redact } from '@tenon/redaction';
import { redactThoroughly } from '@tenon/redaction/thorough';

/** Far beyond what a message has: one that lost a part could not be replayed. */
const options = { text: redactThoroughly, depth: 1_000, values: 10_000_000, characters: 256 << 20 };

/** Members that hold a schema: a property called `password` is no password. */
const schemas: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** A message without what must not be read by others. Schemas stay what they are, but for the texts in them. */
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
