import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  resolveReference,
  type SchemaTargets,
  subschemas,
  type UnknownObject,
} from '@tenon/json-schema/structure';
import { type Checked, checkKeywords } from './keywords.js';

/** The most nested levels and subschemas of a schema. */
export const schemaLimits: { readonly depth: number; readonly count: number } = { depth: 64, count: 10_000 };

interface Place {
  readonly schema: UnknownObject;
  readonly at: string;
  readonly depth: number;
  readonly base: string;
}

/**
 * Checks a JSON Schema without compiling it: its size, the shapes of its keywords, and that no reference leads outside.
 *
 * @throws TypeError that names the owner, the place in the schema, and the fix.
 */
export function checkSchema(root: UnknownObject, checked: Checked): void {
  const targets = noSchemaTargets();
  const places = collect(root, targets, checked);
  // A reference may lead to an object that is not the value of a keyword; it counts as a schema too.
  const known = new Set(places.map((place) => place.schema));
  for (let index = 0; index < places.length; index++) {
    const place = places[index];
    if (place === undefined) break;
    checkKeywords(place.schema, place.at, checked);
    for (const keyword of references) {
      if (place.schema[keyword] === undefined) continue;
      const found = follow(place, keyword, { targets, owner: checked.owner });
      if (!isObject(found) || known.has(found)) continue;
      const from = { schema: found, at: `${place.at}.${keyword}`, depth: place.depth + 1, base: place.base };
      for (const added of spread([from], targets, checked)) {
        known.add(added.schema);
        places.push(added);
      }
      if (places.length > schemaLimits.count) throw tooLarge(checked.owner);
    }
  }
}

function collect(root: UnknownObject, targets: SchemaTargets, checked: Checked): Place[] {
  const base = addSchemaTarget(targets, root, undefined);
  return spread([{ schema: root, at: '', depth: 0, base }], targets, checked);
}

/** Adds all subschemas of the given places to the list. */
function spread(places: Place[], targets: SchemaTargets, { owner }: Checked): Place[] {
  for (let index = 0; index < places.length; index++) {
    const place = places[index];
    if (place === undefined) break;
    for (const { keys, schema } of subschemas(place.schema)) {
      const at = below(below(place.at, keys[0]), keys[1] ?? '');
      if (typeof schema === 'boolean') continue;
      if (!isObject(schema))
        throw new TypeError(`${owner}: ${at} must be a schema, that is an object, true or false`);
      if (place.depth >= schemaLimits.depth)
        throw new TypeError(
          `${owner}: the schema nests more than ${schemaLimits.depth} levels deep or holds itself; ` +
            'use "$defs" and "$ref" for recursion',
        );
      if (places.length >= schemaLimits.count) throw tooLarge(owner);
      places.push({ schema, at, depth: place.depth + 1, base: addSchemaTarget(targets, schema, place.base) });
    }
  }
  return places;
}

function below(at: string, key: string): string {
  if (at === '' || key === '') return at + key;
  return `${at}.${key}`;
}

const references = ['$ref', '$dynamicRef'] as const;

function follow(
  place: Place,
  keyword: string,
  { targets, owner }: { targets: SchemaTargets; owner: string },
): unknown {
  const reference = place.schema[keyword];
  const where = `${owner}: "${keyword}" at ${place.at === '' ? 'the root' : place.at}`;
  if (typeof reference !== 'string') throw new TypeError(`${where} must be a string`);
  const result = resolveReference(targets, reference, place.base);
  const text = JSON.stringify(reference.slice(0, 200));
  if (result === 'remote')
    throw new TypeError(
      `${where} points outside the schema, to ${text}; nothing is fetched, so copy the target into "$defs" ` +
        'and refer to it as "#/$defs/name"',
    );
  if (result === 'dangling')
    throw new TypeError(
      `${where} points at ${text}, which is not in the schema; add it or correct the reference`,
    );
  return result.found;
}

function tooLarge(owner: string): TypeError {
  return new TypeError(`${owner}: the schema holds more than ${schemaLimits.count} schemas; make it smaller`);
}
