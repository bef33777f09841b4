import { isObject, subschemas, type UnknownObject } from '@tenon/json-schema/structure';
import { pointerPart } from './rule.js';

/** A schema inside a schema. */
interface SchemaPlace {
  readonly schema: UnknownObject;
  /** A JSON pointer from the root of the schema. */
  readonly pointer: string;
  /** Levels below the root, which has 0. */
  readonly depth: number;
  /** True if only `properties` lead here: a parameter, or a member of one. */
  readonly isProperty: boolean;
}

/** All schemas of a schema that were read, the root first. */
interface SchemaPlaces {
  readonly places: readonly SchemaPlace[];
  /** True if there are more, which were not read. */
  readonly isCut: boolean;
}

const mostPlaces = 5_000;
const known = new WeakMap<object, SchemaPlaces>();

/** Returns a schema and the schemas inside of it, at most 5,000. References are not followed. */
export function schemaPlaces(root: unknown): SchemaPlaces {
  if (!isObject(root)) return { places: [], isCut: false };
  const found = known.get(root) ?? collect(root);
  known.set(root, found);
  return found;
}

function collect(root: UnknownObject): SchemaPlaces {
  const places: SchemaPlace[] = [{ schema: root, pointer: '', depth: 0, isProperty: true }];
  // The list grows during the loop.
  for (let index = 0; index < places.length; index++) {
    const place = places[index];
    if (place === undefined) break;
    for (const { keys, schema } of subschemas(place.schema)) {
      if (!isObject(schema)) continue;
      if (places.length >= mostPlaces) return { places, isCut: true };
      const [keyword, name] = keys;
      const pointer = `${place.pointer}${pointerPart(keyword)}${name === undefined ? '' : pointerPart(name)}`;
      const isProperty = place.isProperty && keyword === 'properties';
      places.push({ schema, pointer, depth: place.depth + 1, isProperty });
    }
  }
  return { places, isCut: false };
}
