import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  pointerKeys,
  resolveReference,
  subschemas,
  type UnknownObject,
} from '@tenon/json-schema/structure';
import { schemaLimits } from './check.js';
import type { Dialect } from './keywords.js';

/** The most schemas and listed values that are added to a schema: references to references can make it grow exponentially. */
const mostAdded = 1_000;

/** Keywords that assert nothing. Beside a reference they replace those of its target. */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'],
]);
/** Keywords that give a schema its place in a document. Copies of it have none. */
const placing = ['$schema', '$anchor', '$defs', 'definitions'] as const;
/** Keywords with references that depend on the place of a schema. */
const situated = ['$id', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'] as const;
const definitionKeywords: readonly string[] = ['$defs', 'definitions'];

/**
 * Returns a schema in which the targets of references are in place of the references, because many programs show and read no
 * others. References to a schema inside itself stay, except at the root, and so do those beyond a limit of size. Definitions
 * that nothing refers to any longer are left out, unless they have an anchor. Returns the same object if nothing was replaced.
 *
 * @param root - a schema that `checkSchema` accepted.
 */
export function inlineReferences(root: UnknownObject, dialect: Dialect): UnknownObject {
  const targets = noSchemaTargets();
  const base = addSchemaTarget(targets, root, undefined);
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop())
    for (const { schema: inner } of subschemas(schema)) {
      if (!isObject(inner)) continue;
      addSchemaTarget(targets, inner, base);
      open.push(inner);
    }
  const targetOf = ({ $ref }: UnknownObject): unknown => {
    const result = typeof $ref === 'string' ? resolveReference(targets, $ref, base) : 'dangling';
    return typeof result === 'string' ? undefined : result.found;
  };
  const recursive = recursiveTargets(root, targetOf);
  return recursive === undefined ? root : new Inliner(root, { targetOf, recursive, dialect }).document();
}

interface Resolving {
  /** Returns the target of a schema that is a reference. */
  readonly targetOf: (schema: UnknownObject) => unknown;
  readonly recursive: ReadonlySet<unknown>;
  readonly dialect: Dialect;
}

/**
 * Returns the targets of references that lie inside the target; without the references to them, nothing is recursive.
 * Undefined if a schema depends on its place, so that it must not be copied.
 */
function recursiveTargets(
  root: UnknownObject,
  targetOf: Resolving['targetOf'],
): ReadonlySet<unknown> | undefined {
  const recursive = new Set<unknown>();
  const seen = new Set<unknown>();
  const active = new Set<unknown>();
  const open: { readonly schema: UnknownObject; readonly leaves: boolean }[] = [
    { schema: root, leaves: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, leaves } = next;
    if (leaves) active.delete(schema);
    if (leaves || seen.has(schema)) continue;
    if (schema !== root && situated.some((keyword) => schema[keyword] !== undefined)) return undefined;
    seen.add(schema);
    active.add(schema);
    open.push({ schema, leaves: true });
    // The last one is visited first: a definition only after the references to it.
    const inside = subschemas(schema).map((one) => ({
      ...one,
      isNamed: definitionKeywords.includes(one.keys[0]),
    }));
    const inner = [...inside.filter(({ isNamed }) => isNamed), ...inside.filter(({ isNamed }) => !isNamed)];
    for (const found of [...inner.map((one) => one.schema), targetOf(schema)]) {
      if (active.has(found)) recursive.add(found);
      else if (isObject(found)) open.push({ schema: found, leaves: false });
    }
  }
  return recursive;
}

/** The place of a schema in the result: its level, and whether it is the copy of a target. */
interface Place {
  readonly level: number;
  readonly copied: boolean;
}

class Inliner {
  readonly #root: UnknownObject;
  readonly #resolving: Resolving;
  /** The levels of each target, without its references. */
  readonly #levels = new Map<UnknownObject, number>();
  /** References that stayed. */
  readonly #kept = new Set<string>();
  #left = mostAdded;

  constructor(root: UnknownObject, resolving: Resolving) {
    this.#root = root;
    this.#resolving = resolving;
  }

  document(): UnknownObject {
    const { $defs: _, definitions: __, ...body } = this.#root;
    const root = this.#replaced(body, { level: 0, copied: false }) as UnknownObject;
    const needed = this.#definitions();
    return this.#left === mostAdded ? this.#root : { ...root, ...needed };
  }

  /** Returns the definitions that have an anchor, and those that references which stayed lead to. */
  #definitions(): UnknownObject {
    const found: { [keyword: string]: Map<string, unknown> } = {};
    const add = (keyword: string, name: string): void => {
      const named = this.#root[keyword];
      if (!isObject(named) || !Object.hasOwn(named, name) || found[keyword]?.has(name)) return;
      found[keyword] ??= new Map();
      found[keyword].set(name, true);
      found[keyword].set(name, this.#replaced(named[name], { level: 2, copied: false }));
    };
    const names = definitionKeywords.flatMap((keyword) =>
      Object.entries(this.#root[keyword] ?? {}).map(([name, schema]) => ({ keyword, name, schema })),
    );
    for (const { keyword, name, schema } of names)
      if (isObject(schema) && schema.$anchor !== undefined) add(keyword, name);
    // A definition may have references that stay: the set grows during the loop.
    for (const reference of this.#kept) {
      const keys = pointerKeys(reference);
      const [keyword, name] = keys ?? [];
      if (keys === undefined) for (const one of names) add(one.keyword, one.name);
      else if (keyword !== undefined && name !== undefined && definitionKeywords.includes(keyword))
        add(keyword, name);
    }
    return Object.fromEntries(
      Object.entries(found).map(([keyword, kept]) => [keyword, Object.fromEntries(kept)]),
    );
  }

  #replaced(schema: unknown, { level, copied }: Place): unknown {
    if (!isObject(schema)) return schema;
    if (copied) this.#left -= 1 + (Array.isArray(schema.enum) ? schema.enum.length : 0);
    const target = this.#target(schema, level);
    if (target === undefined && typeof schema.$ref === 'string') this.#kept.add(schema.$ref);
    const own = withSubschemas(copied ? withoutPlace(schema) : schema, (inner) =>
      this.#replaced(inner, { level: level + 1, copied }),
    );
    if (target === undefined) return own;
    const copy = this.#replaced(target, { level: level + 1, copied: true }) as UnknownObject;
    return merged(own, copy, this.#resolving.dialect);
  }

  /** Returns the target of a reference if it is to be copied. */
  #target(schema: UnknownObject, level: number): UnknownObject | undefined {
    if (this.#left <= 0) return undefined;
    const target = this.#resolving.targetOf(schema);
    if (!isObject(target) || target === this.#root) return undefined;
    if (level > 0 && this.#resolving.recursive.has(target)) return undefined;
    const levels = this.#levels.get(target) ?? levelsOf(target);
    this.#levels.set(target, levels);
    return level + 1 + levels <= schemaLimits.depth ? target : undefined;
  }
}

function levelsOf(schema: unknown): number {
  if (!isObject(schema)) return 0;
  return subschemas(schema).reduce((most, { schema: inner }) => Math.max(most, 1 + levelsOf(inner)), 0);
}

function withoutPlace(schema: UnknownObject): UnknownObject {
  if (!placing.some((keyword) => schema[keyword] !== undefined)) return schema;
  const { $schema: _, $anchor: __, $defs: ___, definitions: ____, ...rest } = schema;
  return rest;
}

/** Returns the schema with each schema directly inside it replaced; the same object if none changes. */
function withSubschemas(schema: UnknownObject, replace: (inner: unknown) => unknown): UnknownObject {
  const changes = new Map<string, unknown>();
  for (const {
    keys: [keyword, name],
    schema: inner,
  } of subschemas(schema)) {
    const replaced = replace(inner);
    if (replaced === inner) continue;
    const container = changes.get(keyword) ?? schema[keyword];
    changes.set(keyword, name === undefined ? replaced : withMember(container, name, replaced));
  }
  return changes.size === 0 ? schema : { ...schema, ...Object.fromEntries(changes) };
}

function withMember(container: unknown, name: string, value: unknown): unknown {
  return Array.isArray(container)
    ? container.map((one: unknown, index) => (index === Number(name) ? value : one))
    : { ...(container as UnknownObject), [name]: value };
}

/** Returns a copy of a target with the keywords that were beside its reference, without the reference. */
function merged(schema: UnknownObject, target: UnknownObject, dialect: Dialect): UnknownObject {
  const { $ref: _, ...own } = schema;
  const asserting = Object.keys(own).filter(
    (keyword) => !isAnnotation(keyword) && own[keyword] !== target[keyword],
  );
  if (asserting.length === 0) return { ...target, ...own };
  // In draft-07 assertions beside a reference are ignored.
  if (dialect === 'draft-07') {
    const kept = Object.entries(own).filter(([keyword]) => isAnnotation(keyword));
    return { ...target, ...Object.fromEntries(kept) };
  }
  return { ...own, allOf: [...(Array.isArray(own.allOf) ? own.allOf : []), target] };
}

function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}
