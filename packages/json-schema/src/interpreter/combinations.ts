import { isObject, type Keyword, malformed, mapOf, namesOf, nodesOf, type Place } from './keyword.js';
import type { Node } from './run.js';
import { Seen } from './seen.js';

function reference(keyword: '$ref' | '$dynamicRef'): Keyword {
  return (value, place) => {
    if (typeof value !== 'string') throw malformed(place, keyword, 'a string');
    return place.refer(value, keyword);
  };
}

const not: Keyword = (value, place) => {
  const node = place.inner(value, 'not');
  return (given, run) => !run.silently(node, given) || run.fail('must NOT be valid');
};

const allOf: Keyword = (value, place) => {
  const nodes = nodesOf(value, place, 'allOf');
  return (given, run, seen) => {
    let fits = true;
    for (const node of nodes) {
      if (node(given, run, seen)) continue;
      fits = false;
      if (run.quick) break;
    }
    return fits;
  };
};

const anyOf: Keyword = (value, place) => {
  const nodes = nodesOf(value, place, 'anyOf');
  return (given, run, seen) => {
    let fits = false;
    for (const node of nodes) {
      const own = seen && new Seen();
      if (!run.silently(node, given, own)) continue;
      fits = true;
      if (own === undefined) break;
      run.merge(seen, own);
    }
    if (fits) return true;
    // No branch fits: only now are the problems that each branch finds worth reporting.
    if (run.collects) for (const node of nodes) node(given, run, undefined);
    return run.fail('must match a schema in anyOf');
  };
};

const oneOf: Keyword = (value, place) => {
  const nodes = nodesOf(value, place, 'oneOf');
  return (given, run, seen) => {
    let fitting = 0;
    let found: Seen | undefined;
    for (const node of nodes) {
      const own = seen && new Seen();
      if (!run.briefly(node, given, own)) continue;
      found = own;
      if (++fitting > 1) break;
    }
    if (fitting === 1) {
      run.merge(seen, found);
      return true;
    }
    if (fitting === 0 && run.collects) for (const node of nodes) node(given, run, undefined);
    return run.fail('must match exactly one schema in oneOf');
  };
};

const condition: Keyword = (value, place) => {
  const { schema } = place;
  const test = place.inner(value, 'if');
  const yes = schema.then === undefined ? undefined : place.inner(schema.then, 'then');
  const no = schema.else === undefined ? undefined : place.inner(schema.else, 'else');
  return (given, run, seen) => {
    const own = seen && new Seen();
    const holds = run.silently(test, given, own);
    if (holds) run.merge(seen, own);
    const next = holds ? yes : no;
    if (next === undefined || next(given, run, seen)) return true;
    return run.fail(`must match "${holds ? 'then' : 'else'}" schema`);
  };
};

/** A check by member name, for each member that the value has. */
function dependent(keyword: string, nodeOf: (one: unknown, place: Place, name: string) => Node): Keyword {
  return (value, place) => {
    const nodes = mapOf(value, place, keyword).map(
      ([name, one]) => [name, nodeOf(one, place, name)] as const,
    );
    return (given, run, seen) => {
      if (!isObject(given)) return true;
      run.spend(nodes.length >> 3);
      return nodes.every(([name, node]) => !holds(given, name) || node(given, run, seen));
    };
  };
}

const dependentSchemas = dependent('dependentSchemas', (one, place, name) =>
  place.inner(one, 'dependentSchemas', name),
);

const dependentRequired = dependent('dependentRequired', (names, place, name) =>
  needed(name, namesOf(names, place, `dependentRequired/${name}`)),
);

const dependencies = dependent('dependencies', (one, place, name) =>
  Array.isArray(one)
    ? needed(name, namesOf(one, place, `dependencies/${name}`))
    : place.inner(one, 'dependencies', name),
);

function needed(name: string, names: readonly string[]): Node {
  const word = names.length === 1 ? 'property' : 'properties';
  const message = `must have ${word} ${names.join(', ')} when property ${name} is present`;
  return (given, run) => {
    run.spend(names.length >> 3);
    return !isObject(given) || names.every((one) => holds(given, one)) || run.fail(message);
  };
}

/** True if the object has a member of that name. */
function holds(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && (value as { [key: string]: unknown })[name] !== undefined;
}

/** Keywords that apply other schemas to the same value. */
export const combinations: ReadonlyMap<string, Keyword> = new Map([
  ['$ref', reference('$ref')],
  ['$dynamicRef', reference('$dynamicRef')],
  ['not', not],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['allOf', allOf],
  ['if', condition],
  ['dependentRequired', dependentRequired],
  ['dependentSchemas', dependentSchemas],
  ['dependencies', dependencies],
]);
