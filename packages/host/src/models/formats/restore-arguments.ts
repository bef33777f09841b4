import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  resolveReference,
  type SchemaTargets,
  subschemas,
  type UnknownObject,
} from '@tenon/json-schema/structure';
import type { JsonObject, JsonValue, Tool } from '@tenon/mcp-protocol';
import { memberName } from './names.js';
import { schemaBounds, typesOf } from './schemas/rewriting.js';

/**
 * Returns the arguments that a model sent as the server expects them: without null for optional members that do not accept it, which
 * strict mode makes models send, and with the names of members that {@link modelTools} had to change. Returns the same object if
 * there is nothing to restore. Pass the arguments of every call through it: models send such nulls without strict mode too.
 */
export function restoreArguments({ inputSchema }: Pick<Tool, 'inputSchema'>, args: JsonObject): JsonObject {
  return new Restoring(inputSchema).value(args, [inputSchema], 0) as JsonObject;
}

/** The most schemas that are looked at for one value. */
const mostForms = 1_000;

const targetsOf = new WeakMap<UnknownObject, SchemaTargets>();

function targetsIn(root: UnknownObject): SchemaTargets {
  const known = targetsOf.get(root);
  if (known !== undefined) return known;
  const targets = noSchemaTargets();
  const open: { readonly schema: UnknownObject; readonly base: string | undefined }[] = [
    { schema: root, base: undefined },
  ];
  let count = 0;
  for (
    let next = open.pop();
    next !== undefined && count < schemaBounds.schemas;
    next = open.pop(), count++
  ) {
    const base = addSchemaTarget(targets, next.schema, next.base);
    for (const { schema } of subschemas(next.schema)) if (isObject(schema)) open.push({ schema, base });
  }
  targetsOf.set(root, targets);
  return targets;
}

class Restoring {
  readonly #root: UnknownObject;

  constructor(root: UnknownObject) {
    this.#root = root;
  }

  /** Returns a value that is to match all of the schemas, as far as they are about it. */
  value(value: JsonValue, schemas: readonly unknown[], depth: number): JsonValue {
    if (typeof value !== 'object' || value === null || depth > schemaBounds.depth) return value;
    const forms = this.#forms(schemas, applied);
    return isList(value) ? this.#list(value, forms, depth) : this.#object(value, { forms, schemas, depth });
  }

  #list(list: readonly JsonValue[], forms: readonly UnknownObject[], depth: number): JsonValue {
    const restored = list.map((item, index) => {
      const schemas = forms.map(({ items, prefixItems, additionalItems }) => {
        const first = Array.isArray(items) ? items : prefixItems;
        const rest = Array.isArray(items) ? additionalItems : items;
        return Array.isArray(first) && index < first.length ? (first[index] as unknown) : rest;
      });
      return this.value(item, schemas, depth + 1);
    });
    return restored.some((item, index) => item !== list[index]) ? restored : list;
  }

  #object(value: JsonObject, { forms, schemas, depth }: Around): JsonValue {
    const declared = new Map<string, unknown[]>();
    for (const { properties } of forms)
      for (const [name, schema] of isObject(properties) ? Object.entries(properties) : []) {
        const known = declared.get(name);
        if (known === undefined) declared.set(name, [schema]);
        else known.push(schema);
      }
    const isUndeclared = (key: string): boolean => !declared.has(key);
    const changed = Object.keys(value).some(isUndeclared)
      ? new Map([...declared.keys()].map((name) => [memberName(name), name]))
      : undefined;
    // What only a branch of a union requires is optional in an object that unites the branches.
    const required = new Set(this.#forms(schemas, certain).flatMap((form) => form.required ?? []));
    let isSame = true;
    const members: [string, JsonValue][] = [];
    for (const [key, member] of Object.entries(value)) {
      const name = isUndeclared(key) ? (changed?.get(key) ?? key) : key;
      const own = declared.get(name);
      const isAbsent = member === null && own !== undefined && !required.has(name);
      if (isAbsent && !own.some((schema) => this.#acceptsNull(schema, depth))) {
        isSame = false;
        continue;
      }
      const restored = this.value(member, own ?? forms.map((form) => form.additionalProperties), depth + 1);
      if (name !== key || restored !== member) isSame = false;
      members.push([name, restored]);
    }
    return isSame ? value : Object.fromEntries(members);
  }

  /** Returns the schemas and those that they combine, by the given keywords. */
  #forms(schemas: readonly unknown[], keywords: readonly string[]): UnknownObject[] {
    const forms = new Set<UnknownObject>();
    const open = [...schemas];
    for (let at = 0; at < open.length && forms.size < mostForms; at++) {
      const schema = open[at];
      if (!isObject(schema) || forms.has(schema)) continue;
      forms.add(schema);
      if (schema.$ref !== undefined) open.push(this.#target(schema));
      for (const keyword of keywords) {
        const value = schema[keyword];
        if (Array.isArray(value)) open.push(...value.slice(0, mostForms));
        else if (keyword === 'dependentSchemas' && isObject(value)) open.push(...Object.values(value));
        else if (value !== undefined) open.push(value);
      }
    }
    return [...forms];
  }

  #target({ $ref }: UnknownObject): unknown {
    if (typeof $ref !== 'string') return undefined;
    const targets = targetsIn(this.#root);
    const [base = ''] = targets.resources.keys();
    const result = resolveReference(targets, $ref, base);
    return typeof result === 'string' ? undefined : result.found;
  }

  #acceptsNull(schema: unknown, depth: number): boolean {
    if (!isObject(schema)) return schema !== false;
    if (depth > schemaBounds.depth) return true;
    const accepts = (one: unknown): boolean => this.#acceptsNull(one, depth + 1);
    const types = typesOf(schema);
    if (types.length > 0 && !types.includes('null') && schema.nullable !== true) return false;
    if (schema.const !== undefined && schema.const !== null) return false;
    if (Array.isArray(schema.enum) && !schema.enum.includes(null)) return false;
    for (const union of [schema.anyOf, schema.oneOf])
      if (Array.isArray(union) && !union.slice(0, mostForms).some(accepts)) return false;
    if (Array.isArray(schema.allOf) && !schema.allOf.slice(0, mostForms).every(accepts)) return false;
    return schema.$ref === undefined || accepts(this.#target(schema));
  }
}

interface Around {
  readonly forms: readonly UnknownObject[];
  readonly schemas: readonly unknown[];
  readonly depth: number;
}

const certain = ['allOf'] as const;
const applied = [...certain, 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const;

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
