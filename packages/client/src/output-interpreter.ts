import { Validator } from '@cfworker/json-schema';
import type { SchemaObject } from '@tenon/mcp-protocol';
import { type BoundedSchema, boundSchema } from './schema-bounds.js';

/** Looks at a value; the sentence says what is wrong with it. */
export type Inspect = (value: unknown) => string | undefined;

/** Parts of a schema looked at for one result, and for each value of it. */
const evaluationsInAll = 20_000;
const evaluationsForEach = 20;
const mostValues = 50_000;
const mostCompared = 1_000;
const deepestValue = 256;

/**
 * The check of results by a schema that came from a peer. What it returns throws when a result would take too long.
 * @throws Error that says why a schema is refused.
 */
export function interpret(schema: SchemaObject): Inspect {
  let left = 0;
  const bounded = boundSchema(schema, () => {
    if (--left < 0) throw new Error('checking a result took too many steps');
  });
  const validator = new Validator(
    bounded.schema as ConstructorParameters<typeof Validator>[0],
    bounded.dialect,
  );
  return (content) => {
    const measure = new Measure(bounded);
    measure.take(content, 0);
    left = evaluationsInAll + evaluationsForEach * measure.values;
    const { valid, errors } = validator.validate(content);
    if (valid) return undefined;
    const last = errors.at(-1);
    return last === undefined ? 'it does not match' : `${last.instanceLocation}: ${last.error}`.slice(0, 300);
  };
}

/** Refuses values whose check would take too long. */
class Measure {
  readonly #bounded: BoundedSchema;
  values = 0;

  constructor(bounded: BoundedSchema) {
    this.#bounded = bounded;
  }

  take(value: unknown, depth: number): void {
    if (++this.values > mostValues) throw new Error(`a result holds more than ${mostValues} values`);
    if (depth > deepestValue) throw new Error(`a result is nested deeper than ${deepestValue}`);
    if (typeof value === 'string') this.#string(value);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      if (this.#bounded.comparesItems && value.length > mostCompared) {
        throw new Error(`a list of a result has more than ${mostCompared} members to compare`);
      }
      for (const one of value) this.take(one, depth + 1);
      return;
    }
    for (const [key, one] of Object.entries(value)) {
      this.#string(key);
      this.take(one, depth + 1);
    }
  }

  #string(text: string): void {
    if (text.length > this.#bounded.longestString)
      throw new Error('a text of a result is too long for its patterns');
  }
}
