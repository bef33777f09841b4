import { isObject, type UnknownObject } from './json.js';

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
