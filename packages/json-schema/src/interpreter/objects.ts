import type { BoundedPattern } from '@tenon/json-schema';
import { countOf, isObject, type Keyword, mapOf, namedNodes, namesOf, type Place } from './keyword.js';
import type { Node, Run } from './run.js';

const unknownProperty = 'is not a known property';
/** With more properties than this, the value's members are looked up in the schema instead of the reverse. */
const manyProperties = 32;
const largeObject = 256;

const required: Keyword = (value, place) => {
  const names = namesOf(value, place, 'required');
  return (given, run) => {
    if (!isObject(given)) return true;
    run.spend(names.length >> 3);
    let fits = true;
    for (const name of names) {
      if (Object.hasOwn(given, name) && given[name] !== undefined) continue;
      fits = run.fail('is required', name);
      if (run.quick) break;
    }
    return fits;
  };
};

const maxProperties: Keyword = (value, place) => {
  const limit = countOf(value, place, 'maxProperties');
  const message = `must NOT have more than ${limit} properties`;
  return (given, run) => !isObject(given) || keysOf(given, run).length <= limit || run.fail(message);
};

const minProperties: Keyword = (value, place) => {
  const limit = countOf(value, place, 'minProperties');
  const message = `must NOT have fewer than ${limit} properties`;
  return (given, run) => !isObject(given) || keysOf(given, run).length >= limit || run.fail(message);
};

const propertyNames: Keyword = (value, place) => {
  const node = place.inner(value, 'propertyNames');
  return (given, run) => {
    if (!isObject(given)) return true;
    let fits = true;
    for (const name of keysOf(given, run)) {
      if (node(name, run, undefined)) continue;
      fits = run.fail('property name must be valid');
      if (run.quick) break;
    }
    return fits;
  };
};

const properties: Keyword = (value, place) => {
  const nodes = namedNodes(value, place, 'properties');
  // Members that distinguish branches of a union come first.
  const byName = new Map([...nodes.filter(([name]) => isChoice(value, name)), ...nodes]);
  return (given, run, seen) => {
    if (!isObject(given)) return true;
    const isMany = nodes.length > manyProperties;
    const names = isMany ? keysOf(given, run) : byName.keys();
    if (!isMany) run.spend(nodes.length >> 3);
    let fits = true;
    for (const name of names) {
      const node = byName.get(name);
      if (node === undefined || !Object.hasOwn(given, name) || given[name] === undefined) continue;
      seen?.addName(name);
      if (run.member(node, name, given[name])) continue;
      fits = false;
      if (run.quick) break;
    }
    return fits;
  };
};

const patternProperties: Keyword = (value, place) => {
  const nodes = namedNodes(value, place, 'patternProperties').map(
    ([source, node]): [BoundedPattern, Node] => [place.pattern(source), node],
  );
  return (given, run, seen) => {
    if (!isObject(given)) return true;
    const spend = (steps: number): void => run.spend(steps);
    let fits = true;
    for (const name of keysOf(given, run)) {
      for (const [pattern, node] of nodes) {
        if (!pattern.test(name, spend)) continue;
        seen?.addName(name);
        if (run.member(node, name, given[name])) continue;
        fits = false;
        if (run.quick) return false;
      }
    }
    return fits;
  };
};

const additionalProperties: Keyword = (value, place) => {
  const isKnown = knownNames(place);
  const check = rest(value, place, 'additionalProperties');
  return (given, run, seen) => {
    if (!isObject(given)) return true;
    const fits = check(given, run, (name) => !isKnown(name, run));
    seen?.addAllNames();
    return fits;
  };
};

const unevaluatedProperties: Keyword = (value, place) => {
  const check = rest(value, place, 'unevaluatedProperties');
  return (given, run, seen) => {
    if (!isObject(given)) return true;
    const fits = check(given, run, (name) => seen?.hasName(name) !== true);
    seen?.addAllNames();
    return fits;
  };
};

/** True for a member that must have one of some given values. */
function isChoice(properties: unknown, name: string): boolean {
  const schema: unknown = isObject(properties) ? properties[name] : undefined;
  return isObject(schema) && (schema.const !== undefined || schema.enum !== undefined);
}

/** Checks the remaining members against one schema. */
function rest(
  value: unknown,
  place: Place,
  keyword: string,
): (given: { readonly [key: string]: unknown }, run: Run, isLeft: (name: string) => boolean) => boolean {
  const node = place.inner(value, keyword);
  return (given, run, isLeft) => {
    if (value === true) return true;
    let fits = true;
    for (const name of keysOf(given, run)) {
      if (!isLeft(name)) continue;
      if (value === false ? run.fail(unknownProperty, name) : run.member(node, name, given[name])) continue;
      fits = false;
      if (run.quick) break;
    }
    return fits;
  };
}

/** Returns a function that is true for names that `properties` and `patternProperties` beside it cover. */
function knownNames(place: Place): (name: string, run: Run) => boolean {
  const { properties: named, patternProperties: matched } = place.schema;
  const names = new Set(named === undefined ? [] : mapOf(named, place, 'properties').map(([name]) => name));
  const patterns =
    matched === undefined
      ? []
      : mapOf(matched, place, 'patternProperties').map(([source]) => place.pattern(source));
  return (name, run) =>
    names.has(name) || patterns.some((pattern) => pattern.test(name, (steps) => run.spend(steps)));
}

function keysOf(value: object, run: Run): readonly string[] {
  const keys = Object.keys(value);
  // Access to a member of a large object is slow.
  run.spend(keys.length > largeObject ? keys.length << 3 : keys.length >> 2);
  return keys;
}

/** Keywords about the members of an object, in the order in which they are checked. */
export const objects: ReadonlyMap<string, Keyword> = new Map([
  ['maxProperties', maxProperties],
  ['minProperties', minProperties],
  ['required', required],
  ['propertyNames', propertyNames],
  ['additionalProperties', additionalProperties],
  ['properties', properties],
  ['patternProperties', patternProperties],
]);

/** Keywords about members that no other keyword has evaluated; they are checked last. */
export const unevaluatedMembers: ReadonlyMap<string, Keyword> = new Map([
  ['unevaluatedProperties', unevaluatedProperties],
]);
