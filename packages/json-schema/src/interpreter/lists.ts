import { firstDuplicate } from '@tenon/json-schema/equality';
import { countOf, type Keyword, listOf, malformed, type Place } from './keyword.js';
import type { Node } from './run.js';

const maxItems: Keyword = (value, place) => {
  const limit = countOf(value, place, 'maxItems');
  const message = `must NOT have more than ${limit} items`;
  return (given, run) => !Array.isArray(given) || given.length <= limit || run.fail(message);
};

const minItems: Keyword = (value, place) => {
  const limit = countOf(value, place, 'minItems');
  const message = `must NOT have fewer than ${limit} items`;
  return (given, run) => !Array.isArray(given) || given.length >= limit || run.fail(message);
};

const uniqueItems: Keyword = (value, place) => {
  if (typeof value !== 'boolean') throw malformed(place, 'uniqueItems', 'boolean');
  if (!value) return undefined;
  return (given, run) => {
    if (!Array.isArray(given)) return true;
    const equal = firstDuplicate(given, (steps) => run.spend(steps));
    if (equal === undefined) return true;
    return run.fail(`must NOT have duplicate items (items ## ${equal[0]} and ${equal[1]} are identical)`);
  };
};

const contains: Keyword = (value, place) => {
  const { schema, dialect } = place;
  const node = place.inner(value, 'contains');
  const isCounted = dialect !== 'draft-07';
  const least =
    isCounted && schema.minContains !== undefined ? countOf(schema.minContains, place, 'minContains') : 1;
  const most =
    isCounted && schema.maxContains !== undefined
      ? countOf(schema.maxContains, place, 'maxContains')
      : undefined;
  const message = `must contain at least ${least}${most === undefined ? '' : ` and no more than ${most}`} valid item(s)`;
  return (given, run, seen) => {
    if (!Array.isArray(given)) return true;
    const noted = dialect === '2020-12' ? seen : undefined;
    let found = 0;
    for (let index = 0; index < given.length; index++) {
      if (!run.silently(node, given[index])) continue;
      found++;
      noted?.addItem(index);
      if (noted === undefined && most === undefined && found >= least) break;
    }
    return (found >= least && (most === undefined || found <= most)) || run.fail(message);
  };
};

/** A list of schemas, one for each index. */
function tuple(value: unknown, place: Place, keyword: string): Node {
  const nodes = listOf(value, place, keyword).map((one, index) => place.inner(one, keyword, index));
  return (given, run, seen) => {
    if (!Array.isArray(given)) return true;
    let fits = true;
    const length = Math.min(nodes.length, given.length);
    for (let index = 0; index < length; index++) {
      if (run.member(nodes[index] as Node, index, given[index])) continue;
      fits = false;
      if (run.quick) break;
    }
    seen?.addItems(length);
    return fits;
  };
}

/** One schema for all members from an index on. */
function from(start: number, value: unknown, { place, keyword }: { place: Place; keyword: string }): Node {
  const node = place.inner(value, keyword);
  const message = `must NOT have more than ${start} items`;
  return (given, run, seen) => {
    if (!Array.isArray(given)) return true;
    seen?.addItems(given.length);
    if (value === true || given.length <= start) return true;
    if (value === false) return run.fail(start === 0 ? 'must NOT have more than 0 items' : message);
    let fits = true;
    for (let index = start; index < given.length; index++) {
      if (run.member(node, index, given[index])) continue;
      fits = false;
      if (run.quick) break;
    }
    return fits;
  };
}

const prefixItems: Keyword = (value, place) => tuple(value, place, 'prefixItems');

const items: Keyword = (value, place) => {
  if (place.dialect !== '2020-12' && Array.isArray(value)) return tuple(value, place, 'items');
  const { prefixItems: prefix } = place.schema;
  const start = place.dialect === '2020-12' && Array.isArray(prefix) ? prefix.length : 0;
  return from(start, value, { place, keyword: 'items' });
};

const additionalItems: Keyword = (value, place) => {
  const { items: list } = place.schema;
  // `additionalItems` applies only after a list of schemas.
  if (!Array.isArray(list)) return undefined;
  return from(list.length, value, { place, keyword: 'additionalItems' });
};

const unevaluatedItems: Keyword = (value, place) => {
  const node = place.inner(value, 'unevaluatedItems');
  return (given, run, seen) => {
    if (!Array.isArray(given) || value === true) {
      if (Array.isArray(given)) seen?.addItems(given.length);
      return true;
    }
    let fits = true;
    run.spend(given.length >> 2);
    for (let index = 0; index < given.length; index++) {
      if (seen?.hasItem(index) === true) continue;
      if (value === false ? run.fail('is not a known item', index) : run.member(node, index, given[index]))
        continue;
      fits = false;
      if (run.quick) break;
    }
    seen?.addItems(given.length);
    return fits;
  };
};

/** Keywords about the members of a list, in the order in which they are checked. */
export const lists: ReadonlyMap<string, Keyword> = new Map([
  ['maxItems', maxItems],
  ['minItems', minItems],
  ['uniqueItems', uniqueItems],
  ['contains', contains],
  ['prefixItems', prefixItems],
  ['items', items],
  ['additionalItems', additionalItems],
]);

/** Keywords about members that no other keyword has evaluated; they are checked last. */
export const unevaluatedInLists: ReadonlyMap<string, Keyword> = new Map([
  ['unevaluatedItems', unevaluatedItems],
]);
