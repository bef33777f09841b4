import { canonicalText } from '@tenon/json-schema/equality';
import { isObject } from '@tenon/json-schema/structure';
import { isAnnotation } from './keywords.js';
import { inside, type Rewriting, type Schema, typeFrom, typesOf } from './rewriting.js';

/** The place of an intersection. */
export interface Spot {
  readonly rewriting: Rewriting;
  readonly path: string;
}

/** True for two schemas, or other JSON values, that are equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || textOf(one) === textOf(other);
}

/** Returns the values without those that are equal to an earlier one. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  const first = new Map<string, Value>();
  for (const value of values) {
    const text = textOf(value);
    if (!first.has(text)) first.set(text, value);
  }
  return [...first.values()];
}

function textOf(value: unknown): string {
  return value === undefined ? '' : canonicalText(value, () => {});
}

/**
 * Returns a schema for the values that match both. Annotations are those of the first that has them. Two assertions that one keyword
 * cannot hold together are a loss: the first stays.
 */
export function intersection(one: Schema, other: Schema, spot: Spot): Schema {
  spot.rewriting.count();
  const both: Schema = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const mine = one[keyword];
    if (mine === undefined) both[keyword] = value;
    else if (!isAnnotation(keyword) && !isSame(mine, value))
      both[keyword] = joined(keyword, [mine, value], spot);
  }
  const types = typesOf(both);
  // A value of `const` or `enum` has a type of its own, which the other schema may name more widely.
  if (types.length > 0) both.type = typeFrom(types);
  return both;
}

type Pair = readonly [mine: unknown, theirs: unknown];

function joined(keyword: string, pair: Pair, spot: Spot): unknown {
  const found = joiners[keyword]?.(pair, spot);
  if (found !== undefined) return found;
  spot.rewriting.lose(
    spot.path,
    keyword,
    `Two values of \`${keyword}\` hold together here, which one schema cannot say. The model sees the first.`,
  );
  return pair[0];
}

type Joiner = (pair: Pair, spot: Spot) => unknown;

const most: Joiner = ([mine, theirs]) => Math.max(Number(mine), Number(theirs));
const least: Joiner = ([mine, theirs]) => Math.min(Number(mine), Number(theirs));
const every: Joiner = ([mine, theirs]) => [...(mine as unknown[]), ...(theirs as unknown[])];

const joiners: { readonly [keyword: string]: Joiner } = {
  type: ([mine, theirs]) => sharedType(typesOf({ type: mine }), typesOf({ type: theirs })),
  enum: ([mine, theirs]) => {
    const known = new Set((theirs as unknown[]).map(textOf));
    const shared = (mine as unknown[]).filter((value) => known.has(textOf(value)));
    return shared.length === 0 ? undefined : shared;
  },
  required: ([mine, theirs]) => [...new Set([...(mine as string[]), ...(theirs as string[])])],
  properties: (pair, spot) => joinedMaps(pair, { ...spot, path: inside(spot.path, 'properties') }),
  patternProperties: (pair, spot) =>
    joinedMaps(pair, { ...spot, path: inside(spot.path, 'patternProperties') }),
  additionalProperties: ([mine, theirs], spot) => {
    if (mine === false || theirs === false) return false;
    if (mine === true) return theirs;
    if (theirs === true) return mine;
    return intersection(mine as Schema, theirs as Schema, {
      ...spot,
      path: inside(spot.path, 'additionalProperties'),
    });
  },
  items: ([mine, theirs], spot) =>
    intersection(mine as Schema, theirs as Schema, { ...spot, path: inside(spot.path, 'items') }),
  allOf: every,
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  minProperties: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
  uniqueItems: () => true,
};

function sharedType(mine: readonly string[], theirs: readonly string[]): string | string[] | undefined {
  const shared = new Set<string>();
  for (const type of mine) {
    if (theirs.includes(type)) shared.add(type);
    if (type === 'number' && theirs.includes('integer')) shared.add('integer');
    if (type === 'integer' && theirs.includes('number')) shared.add('integer');
  }
  return typeFrom([...shared]);
}

function joinedMaps([mine, theirs]: Pair, spot: Spot): unknown {
  if (!isObject(mine) || !isObject(theirs)) return undefined;
  const all = new Map<string, unknown>(Object.entries(mine));
  for (const [name, schema] of Object.entries(theirs)) {
    const known = all.get(name) as Schema | undefined;
    const path = inside(spot.path, name);
    all.set(name, known === undefined ? schema : intersection(known, schema as Schema, { ...spot, path }));
  }
  return Object.fromEntries(all);
}
