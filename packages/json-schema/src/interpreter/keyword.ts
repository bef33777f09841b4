import type { BoundedPattern } from '@tenon/json-schema';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { Node } from './run.js';

/** A dialect of JSON Schema that the interpreter supports. */
export type SchemaDialect = '2020-12' | '2019-09' | 'draft-07';

/** The place of a keyword, and the functions that compile the schemas in it. */
export interface Place {
  readonly schema: UnknownObject;
  /** The JSON pointer of the schema, for error texts. */
  readonly at: string;
  /** The base URI of references in the schema. */
  readonly base: string;
  readonly dialect: SchemaDialect;
  /** Compiles a schema inside this one; `keys` lead to it. */
  inner(schema: unknown, ...keys: readonly (string | number)[]): Node;
  /** Returns a pattern with a known cost. @throws Error with the reason that it is rejected. */
  pattern(source: string): BoundedPattern;
  /** Returns the check of a reference target, which may be compiled later. */
  refer(reference: string, keyword: '$ref' | '$dynamicRef'): Node;
}

/** Compiles one keyword; returns undefined if it asserts nothing. */
export type Keyword = (value: unknown, place: Place) => Node | undefined;

/** Returns the error for a keyword with a wrong value. */
export function malformed(place: Place, keyword: string, wanted: string): TypeError {
  return new TypeError(`schema${place.at}/${keyword} must be ${wanted}`);
}

/** @throws TypeError unless the keyword's value is a number. */
export function numberOf(value: unknown, place: Place, keyword: string): number {
  if (typeof value !== 'number' || Number.isNaN(value)) throw malformed(place, keyword, 'number');
  return value;
}

/** @throws TypeError unless the keyword's value is a whole number of 0 or more. */
export function countOf(value: unknown, place: Place, keyword: string): number {
  if (typeof value !== 'number' || !(value >= 0) || value % 1 !== 0)
    throw malformed(place, keyword, 'a whole number, 0 or more');
  return value;
}

/** @throws TypeError unless the keyword's value is a list of names. */
export function namesOf(value: unknown, place: Place, keyword: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw malformed(place, keyword, 'a list of property names');
  return value;
}

/** @throws TypeError unless the keyword's value is a list. */
export function listOf(value: unknown, place: Place, keyword: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(place, keyword, 'a list');
  return value;
}

/** @throws TypeError unless the keyword's value is an object. */
export function mapOf(value: unknown, place: Place, keyword: string): [string, unknown][] {
  if (!isObject(value)) throw malformed(place, keyword, 'an object');
  return Object.entries(value);
}

/** Compiles the schemas in a list. @throws TypeError if the list is empty. */
export function nodesOf(value: unknown, place: Place, keyword: string): readonly Node[] {
  const list = listOf(value, place, keyword);
  if (list.length === 0) throw malformed(place, keyword, 'a list with at least one schema');
  return list.map((one, index) => place.inner(one, keyword, index));
}

/** Compiles the schemas of a keyword by name. */
export function namedNodes(value: unknown, place: Place, keyword: string): readonly [string, Node][] {
  return mapOf(value, place, keyword).map(([name, one]) => [name, place.inner(one, keyword, name)]);
}

/**
 * True for JSON objects. Defined here instead of imported through an entry: checks call it when the stack is nearly exhausted,
 * and the getters that test tools add to re-exports would fail then.
 */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
