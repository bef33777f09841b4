import type { BoundedPattern } from '@tenon/json-schema';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { isObject } from './is-object.js';
import type { Node } from './run.js';

/** A dialect of JSON Schema that is interpreted. */
export type SchemaDialect = '2020-12' | '2019-09' | 'draft-07';

/** Where a keyword stands, and what it needs to become a check. */
export interface Place {
  readonly schema: UnknownObject;
  /** The JSON pointer of the schema, for error texts. */
  readonly at: string;
  /** The URI that references in it start from. */
  readonly base: string;
  readonly dialect: SchemaDialect;
  /** Makes the check of a schema inside this one; `keys` lead to it. */
  inner(schema: unknown, ...keys: readonly (string | number)[]): Node;
  /** A pattern whose work is known. @throws Error that says why it is refused. */
  pattern(source: string): BoundedPattern;
  /** The check of what a reference points at, which may not be made yet. */
  refer(reference: string, keyword: '$ref' | '$dynamicRef'): Node;
}

/** Makes the check of one keyword; undefined where it asserts nothing. */
export type Keyword = (value: unknown, place: Place) => Node | undefined;

/** The error of a schema whose keyword does not hold what it should. */
export function malformed(place: Place, keyword: string, wanted: string): TypeError {
  return new TypeError(`schema${place.at}/${keyword} must be ${wanted}`);
}

/** @throws TypeError unless the keyword holds a number. */
export function numberOf(value: unknown, place: Place, keyword: string): number {
  if (typeof value !== 'number' || Number.isNaN(value)) throw malformed(place, keyword, 'number');
  return value;
}

/** @throws TypeError unless the keyword holds a whole number of 0 or more. */
export function countOf(value: unknown, place: Place, keyword: string): number {
  if (typeof value !== 'number' || !(value >= 0) || value % 1 !== 0)
    throw malformed(place, keyword, 'a whole number, 0 or more');
  return value;
}

/** @throws TypeError unless the keyword holds a list of names. */
export function namesOf(value: unknown, place: Place, keyword: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw malformed(place, keyword, 'a list of property names');
  return value;
}

/** @throws TypeError unless the keyword holds a list. */
export function listOf(value: unknown, place: Place, keyword: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(place, keyword, 'a list');
  return value;
}

/** @throws TypeError unless the keyword holds an object. */
export function mapOf(value: unknown, place: Place, keyword: string): [string, unknown][] {
  if (!isObject(value)) throw malformed(place, keyword, 'an object');
  return Object.entries(value);
}

/** The checks of the schemas a keyword lists. @throws TypeError unless there is at least one. */
export function nodesOf(value: unknown, place: Place, keyword: string): readonly Node[] {
  const list = listOf(value, place, keyword);
  if (list.length === 0) throw malformed(place, keyword, 'a list with at least one schema');
  return list.map((one, index) => place.inner(one, keyword, index));
}

/** The checks of the schemas a keyword holds by name. */
export function namedNodes(value: unknown, place: Place, keyword: string): readonly [string, Node][] {
  return mapOf(value, place, keyword).map(([name, one]) => [name, place.inner(one, keyword, name)]);
}
