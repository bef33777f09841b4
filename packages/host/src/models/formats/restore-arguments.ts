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
import { schemaBounds, typesOf } from './schemas/rewriting.js';
import { memberName } from './text/accepted-name.js';

/**
 * Returns the arguments that a model sent as the server expects them: without null for optional members that do not accept it, which
 * strict mode makes models send, and with the names of members that {@link modelTools} had to change. Returns the same object if
 * there is nothing to restore. Pass the arguments of every call through it: models send such nulls without strict mode too.
 */
export function restoreArguments({ inputSchema }: Pick<Tool, 'inputSchema'>, args: JsonObject): JsonObject {
  const all = [inputSchema];
  return new Restoring(inputSchema).value(args, { all, certain: all }, 0) as JsonObject;
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

  value(value: JsonValue, schemas: Schemas, depth: number): JsonValue {
    if (typeof value !== 'object' || value === null || depth > schemaBounds.depth) return value;
    const forms = { all: this.#forms(schemas.all, applied), certain: this.#forms(schemas.certain, certain) };
    return isList(value) ? this.#list(value, forms, depth) : this.#object(value, forms, depth);
  }

  #list(list: readonly JsonValue[], forms: Forms, depth: number): JsonValue {
    const restored = list.map((item, index) => {
      const schemas = { all: itemSchemas(forms.all, index), certain: itemSchemas(forms.certain, index) };
      return this.value(item, schemas, depth + 1);
    });
    return restored.some((item, index) => item !== list[index]) ? restored : list;
  }

  #object(value: JsonObject, forms: Forms, depth: number): JsonValue {
    const declared = declaredBy(forms.all);
    const surely = declaredBy(forms.certain);
    const isUndeclared = (key: string): boolean => !declared.has(key);
    const changed = Object.keys(value).some(isUndeclared)
      ? new Map([...declared.keys()].map((name) => [memberName(name), name]))
      : undefined;
    // What only a branch of a union requires is optional in an object that unites the branches.
    const required = new Set(forms.certain.flatMap((form) => form.required ?? []));
    let isSame = true;
    const members: [string, JsonValue][] = [];
    for (const [key, member] of Object.entries(value)) {
      const name = isUndeclared(key) ? (changed?.get(key) ?? key) : key;
      const own = declared.get(name);
      const isAbsent = member === null && own !== undefined && !required.has(name);
      if (isAbsent && !this.#keepsNull(own, depth)) {
        isSame = false;
        continue;
      }
      const restored = this.value(
        member,
        {
          all: schemasOf(own) ?? forms.all.map((form) => form.additionalProperties),
          certain:
            schemasOf(surely.get(name)) ??
            (own === undefined ? forms.certain.map((form) => form.additionalProperties) : []),
        },
        depth + 1,
      );
      if (name !== key || restored !== member) isSame = false;
      members.push([name, restored]);
    }
    return isSame ? value : Object.fromEntries(members);
  }

  /** True if all branches of a union accept null for an optional member, or one of them requires the member and accepts null. */
  #keepsNull(own: readonly Declared[], depth: number): boolean {
    const accepting = own.filter(({ schema }) => this.#acceptsNull(schema, depth));
    return accepting.length === own.length || accepting.some(({ isRequired }) => isRequired);
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

/** A member as one schema declares it. */
interface Declared {
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function declaredBy(forms: readonly UnknownObject[]): Map<string, Declared[]> {
  const declared = new Map<string, Declared[]>();
  for (const { properties, required } of forms) {
    const names = new Set(Array.isArray(required) ? required : []);
    for (const [name, schema] of isObject(properties) ? Object.entries(properties) : []) {
      const known = declared.get(name);
      const one = { schema, isRequired: names.has(name) };
      if (known === undefined) declared.set(name, [one]);
      else known.push(one);
    }
  }
  return declared;
}

function schemasOf(declared: readonly Declared[] | undefined): unknown[] | undefined {
  return declared?.map(({ schema }) => schema);
}

function itemSchemas(forms: readonly UnknownObject[], index: number): unknown[] {
  return forms.map(({ items, prefixItems, additionalItems }) => {
    const first = Array.isArray(items) ? items : prefixItems;
    const rest = Array.isArray(items) ? additionalItems : items;
    return Array.isArray(first) && index < first.length ? (first[index] as unknown) : rest;
  });
}

/** The schemas of one value. */
interface Schemas {
  /** Those that are about it, if only in a branch of a union. */
  readonly all: readonly unknown[];
  /** Those that it must match. */
  readonly certain: readonly unknown[];
}

interface Forms {
  readonly all: readonly UnknownObject[];
  readonly certain: readonly UnknownObject[];
}

const certain = ['allOf'] as const;
const applied = [...certain, 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const;

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
