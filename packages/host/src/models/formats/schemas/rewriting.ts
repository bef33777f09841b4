/** A schema that is being rewritten: a copy, so it may change. */
export interface Schema {
  [keyword: string]: unknown;
}

/** A part of a schema that a format cannot express. */
export interface Loss {
  /** A JSON Pointer into the input schema of the tool; empty for its root. */
  readonly path: string;
  /** The keyword, or an empty text if it is not about a keyword. */
  readonly keyword: string;
  /** Sentences about the part that the model does not see. */
  readonly what: string;
}

/** The most that is read and written of one schema. */
export const schemaBounds = {
  /** Schemas inside each other. */
  depth: 64,
  /** Schemas, those of copied references included. */
  schemas: 10_000,
  /** Schemas read, joined and written while one schema is rewritten. */
  steps: 40_000,
  /** Losses that are reported of one tool. */
  losses: 100,
} as const;

/** Thrown while a schema is rewritten if it has more schemas than the bound. */
export class SchemaTooLarge extends Error {
  override readonly name = 'SchemaTooLarge';
}

/** Counts the schemas of one rewriting, and collects the losses. */
export class Rewriting {
  readonly losses: Loss[] = [];
  #steps = 0;

  /**
   * Counts one schema that is read, joined or written.
   * @throws SchemaTooLarge above the bound.
   */
  count(): void {
    if (++this.#steps > schemaBounds.steps) throw new SchemaTooLarge('too many schemas');
  }

  lose(path: string, keyword: string, what: string): void {
    if (this.losses.length < schemaBounds.losses) this.losses.push({ path, keyword, what });
  }
}

/** Returns the path of a part of a schema. */
export function inside(path: string, ...keys: readonly string[]): string {
  return `${path}${keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
}

/** Returns the types that a schema names. */
export function typesOf({ type }: { readonly type?: unknown }): string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one): one is string => typeof one === 'string') : [];
}

/** Returns the types as the value of `type`: a text for one, undefined for none. */
export function typeFrom(types: readonly string[]): string | string[] | undefined {
  return types.length > 1 ? [...types] : types[0];
}

/** Adds a sentence to the description of a schema. */
export function describe(schema: Schema, sentence: string): void {
  const before =
    typeof schema.description === 'string' && schema.description !== '' ? `${schema.description}\n` : '';
  schema.description = `${before}${sentence}`;
}
