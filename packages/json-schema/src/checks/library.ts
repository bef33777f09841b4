import { isObject, quickLibraries, type UnknownObject } from '@tenon/json-schema/structure';
import { needsInterpreter } from './compiled-cost.js';

/** The most work that a schema library may have with a value. */
export interface LibraryBounds {
  /** The most schema checks for the values inside one value. */
  readonly schemaSteps: number;
  /** The most places in one value that do not fit the listed schema, or that only the library can check. */
  readonly schemaProblems: number;
}

/** The default {@link LibraryBounds}: 5,000,000 steps and 10,000 problems. */
export const defaultLibraryBounds: LibraryBounds = { schemaSteps: 5_000_000, schemaProblems: 10_000 };

/**
 * True if a library can take long for a small value with a schema: a union that refers to itself can double the work at
 * each level.
 */
export function isSlow(json: UnknownObject, vendor: string): boolean {
  return !quickLibraries.has(vendor) && needsInterpreter(json) && JSON.stringify(json).includes('"anyOf"');
}

/** A schema of a library that can convert it to JSON Schema, as Standard Schema defines. */
export interface Convertible {
  readonly '~standard': {
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => unknown } | undefined;
  };
}

/** Returns the JSON Schema of the values that a library's schema accepts; undefined if the library cannot write it. */
export function acceptedJson(schema: Convertible): UnknownObject | undefined {
  try {
    const json = schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
