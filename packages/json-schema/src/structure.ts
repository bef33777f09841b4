/** An object with unchecked members. */
export type UnknownObject = { readonly [key: string]: unknown };

/** True for JSON objects: neither null nor an array. */
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema found inside another one. */
export interface Subschema {
  /** The keys that lead to it: the keyword, then the name or index if the keyword has several. */
  readonly keys: readonly [keyword: string, name?: string];
  /** The value there; a malformed schema may have any value. */
  readonly schema: unknown;
}

const single = [
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
] as const;
const named = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'dependencies',
] as const;
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/** Returns the schemas directly inside a JSON Schema of 2020-12 or draft-07. Data, as in `default`, contains no schemas. */
export function subschemas(schema: UnknownObject): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of single) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (keyword === 'items' && Array.isArray(value)) addList(found, keyword, value);
    else found.push({ keys: [keyword], schema: value });
  }
  for (const keyword of named) {
    const value = schema[keyword];
    if (!isObject(value)) continue;
    for (const name of Object.keys(value)) {
      const inner = value[name];
      // In draft-07 a dependency may also be a list of property names.
      if (keyword === 'dependencies' && Array.isArray(inner)) continue;
      found.push({ keys: [keyword, name], schema: inner });
    }
  }
  for (const keyword of listed) {
    const value = schema[keyword];
    if (Array.isArray(value)) addList(found, keyword, value);
  }
  return found;
}

function addList(found: Subschema[], keyword: string, list: readonly unknown[]): void {
  for (let index = 0; index < list.length; index++)
    found.push({ keys: [keyword, String(index)], schema: list[index] });
}

/** The base URI of a schema without `$id`; nothing is ever fetched from it. */
const rootUri = 'schema:///';

/** The possible targets of references in a schema document. */
export interface SchemaTargets {
  /** Schema resources by absolute URI; the document's own root among them. */
  readonly resources: Map<string, UnknownObject>;
  /** Anchored schemas by `uri#anchor`. */
  readonly anchors: Map<string, UnknownObject>;
}

/** Returns empty targets. */
export function noSchemaTargets(): SchemaTargets {
  return { resources: new Map(), anchors: new Map() };
}

/** Records a schema's `$id` and anchors; returns the base URI of its references. */
export function addSchemaTarget(
  targets: SchemaTargets,
  schema: UnknownObject,
  parentBase: string | undefined,
): string {
  let base = parentBase ?? rootUri;
  if (parentBase === undefined) targets.resources.set(base, schema);
  const id = schema.$id;
  if (typeof id === 'string') {
    // Draft-07 writes an anchor as an `$id` that is a fragment.
    if (id.startsWith('#')) targets.anchors.set(base + id, schema);
    else {
      base = absolute(id, base) ?? base;
      targets.resources.set(base, schema);
    }
  }
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor])
    if (typeof anchor === 'string') targets.anchors.set(`${base}#${anchor}`, schema);
  return base;
}

/**
 * Returns the target of a reference: the value, or the reason that there is none. Only the document itself is searched.
 *
 * @param base - the base URI that {@link addSchemaTarget} returned for the schema with the reference.
 */
export function resolveReference(
  targets: SchemaTargets,
  reference: string,
  base: string,
): { found: unknown } | 'remote' | 'dangling' {
  const hash = reference.indexOf('#');
  const location = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  const uri = location === '' ? base : absolute(location, base);
  const resource = uri === undefined ? undefined : targets.resources.get(uri);
  if (resource === undefined) return 'remote';
  if (fragment === '') return { found: resource };
  const found = fragment.startsWith('/')
    ? atPointer(resource, fragment)
    : targets.anchors.get(`${uri}#${fragment}`);
  return found === undefined ? 'dangling' : { found };
}

function absolute(uri: string, base: string): string | undefined {
  try {
    return new URL(uri, base).href.replace(/#.*$/, '');
  } catch {
    return undefined;
  }
}

/** Returns the keys of a reference that is a JSON pointer, such as `#/$defs/a`; undefined for any other. */
export function pointerKeys(reference: string): string[] | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  const keys: string[] = [];
  for (const part of reference.split('/').slice(1)) {
    const key = decoded(part)?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}

function atPointer(root: unknown, fragment: string): unknown {
  const keys = pointerKeys(`#${fragment}`);
  if (keys === undefined) return undefined;
  let value = root;
  for (const key of keys) {
    if (!(isObject(value) || Array.isArray(value)) || !Object.hasOwn(value, key)) return undefined;
    value = (value as UnknownObject)[key];
  }
  return value;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const someParts = 1_000;

/** The limits of a small value. */
export interface Smallness {
  /** Default 1,000. */
  readonly parts?: number;
  /** Characters of a text that count as one more part. By default a text of any length is one part. */
  readonly charactersPerPart?: number;
}

const anyText: Smallness = {};

/** True for a value of at most a thousand parts, by default; stops counting there. */
export function isSmall(value: unknown, smallness: Smallness = anyText): boolean {
  const { parts: most = someParts, charactersPerPart = Number.POSITIVE_INFINITY } = smallness;
  const open: unknown[] = [value];
  let parts = 1;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') parts += Math.floor(next.length / charactersPerPart);
    else if (Array.isArray(next)) {
      parts += next.length;
      if (parts <= most) open.push(...(next as unknown[]));
    } else if (typeof next === 'object' && next !== null) {
      // Listing all names or values of a large object would cost as much as parsing it.
      for (const name in next) {
        if (++parts > most) return false;
        open.push((next as Record<string, unknown>)[name]);
      }
    }
    if (parts > most) return false;
  }
  return true;
}

/** The limits of a value that goes straight to its schema library, which has little work with it even if it is wrong. */
export const lightness: Smallness = { charactersPerPart: 16 };

/** Schema libraries that check a recursive union in linear time, because they compare what its branches have in common. */
export const quickLibraries: ReadonlySet<string> = new Set(['zod', 'arktype']);
