import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@tenon/mcp-protocol/internal';
import { type ChangeDetail, shown, textChange } from './change.js';

/** `input`: callers send values, and break if fewer are accepted. `output`: callers read values, and break if more may come. */
type SchemaDirection = 'input' | 'output';

type Schema = Readonly<Record<string, unknown>>;

/** Two schemas at the same place. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
}

/** Two schemas without references at the same place. */
interface SchemaPair {
  readonly before: Schema;
  readonly after: Schema;
  readonly path: string;
}

/** Subschemas that are compared, and their deepest nesting. */
const mostSchemas = 10_000;
const mostDepth = 64;

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const texts = [
  'title',
  'description',
  'default',
  'examples',
  'format',
  'deprecated',
  'x-mcp-header',
] as const;
/** Keywords with an effect that is not analysed: any change may break callers. */
const opaque = [
  'pattern',
  'multipleOf',
  'uniqueItems',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
] as const;

/** Returns the differences between two schemas of a tool. Local references are followed. */
export function schemaChanges(
  before: unknown,
  after: unknown,
  direction: SchemaDirection,
): readonly ChangeDetail[] {
  if (isDeepStrictEqual(before, after)) return [];
  const comparison = new SchemaComparison({ before, after }, direction);
  comparison.compare({ before, after, path: direction }, 0);
  return comparison.details;
}

class SchemaComparison {
  readonly details: ChangeDetail[] = [];
  readonly #roots: { readonly before: unknown; readonly after: unknown };
  readonly #direction: SchemaDirection;
  /** True if references to equal names may lead to schemas that differ. */
  readonly #haveDefinitionsChanged: boolean;
  readonly #followed = new Set<string>();
  #compared = 0;
  #isIncomplete = false;

  constructor(roots: { readonly before: unknown; readonly after: unknown }, direction: SchemaDirection) {
    this.#roots = roots;
    this.#haveDefinitionsChanged = !isDeepStrictEqual(
      definitionsIn(roots.before),
      definitionsIn(roots.after),
    );
    this.#direction = direction;
  }

  compare(pair: Pair, depth: number): void {
    if (!this.#mayDiffer(pair.before, pair.after)) return;
    if (this.#hasFollowed(pair)) return;
    if (++this.#compared > mostSchemas || depth > mostDepth) {
      if (!this.#isIncomplete) this.#add(pair.path, 'changed; the rest is too large to compare', true);
      this.#isIncomplete = true;
      return;
    }
    const before = resolved(pair.before, this.#roots.before);
    const after = resolved(pair.after, this.#roots.after);
    if (before === undefined || after === undefined) {
      if (!isDeepStrictEqual(pair.before, pair.after)) this.#add(pair.path, 'changed', true);
      return;
    }
    const { path } = pair;
    if (isUnion(before) !== isUnion(after)) {
      this.#union({ before, after, path });
      return;
    }
    const schemas = { before, after, path };
    this.#types(schemas);
    this.#values(schemas);
    this.#bounds(schemas);
    this.#texts(schemas);
    for (const name of opaque)
      if (!isDeepStrictEqual(before[name], after[name]))
        this.#changed(path, name, {
          isNarrower: after[name] !== undefined,
          isWider: before[name] !== undefined,
        });
    this.#members(schemas, depth);
    this.#branches(schemas, depth);
    this.#items(schemas, depth);
  }

  #mayDiffer(before: unknown, after: unknown): boolean {
    return !isDeepStrictEqual(before, after) || (this.#haveDefinitionsChanged && hasReference(before));
  }

  /** True if the same two references were compared before: a recursive schema. */
  #hasFollowed({ before, after }: Pair): boolean {
    const references = [before, after].map((one) => (isObject(one) ? one.$ref : undefined));
    if (references.every((one) => one === undefined)) return false;
    const key = JSON.stringify(references);
    if (this.#followed.has(key)) return true;
    this.#followed.add(key);
    return false;
  }

  #add(path: string, text: string, breaking: boolean): void {
    this.details.push({ path, text, breaking });
  }

  /** Compares the alternatives of a schema with another that has none: that is one alternative. */
  #union({ before, after, path }: SchemaPair): void {
    this.#texts({ before, after, path });
    this.#alternatives(path, alternativesOf(before), alternativesOf(after));
  }

  #alternatives(path: string, was: readonly unknown[], is: readonly unknown[]): void {
    for (const one of without(was, is))
      this.#add(path, `alternative ${shown(one)} removed`, this.#direction === 'input');
    for (const one of without(is, was))
      this.#add(path, `alternative ${shown(one)} added`, this.#direction === 'output');
  }

  #texts({ before, after, path }: SchemaPair): void {
    for (const name of texts)
      if (!isDeepStrictEqual(before[name], after[name]))
        this.#add(path, changeText(name, before[name], after[name]), false);
  }

  /** Adds a change that makes the schema accept fewer values, more values, or both. */
  #changed(path: string, text: string, effect: { isNarrower: boolean; isWider: boolean }): void {
    const breaking = this.#direction === 'input' ? effect.isNarrower : effect.isWider;
    const one = effect.isNarrower ? 'added' : 'removed';
    const how = effect.isNarrower && effect.isWider ? 'changed' : one;
    this.#add(path, `${text} ${how}`, breaking);
  }

  #types({ before, after, path }: SchemaPair): void {
    const [was, is] = [typesOf(before), typesOf(after)];
    if (was.length === is.length && was.every((type) => is.includes(type))) return;
    const isNarrower = !was.every((type) => accepts(is, type));
    const isWider = !is.every((type) => accepts(was, type));
    const names = (types: readonly string[]) =>
      types.length === all.length ? 'anything' : types.join(' or ');
    const breaking = this.#direction === 'input' ? isNarrower : isWider;
    this.#add(path, `is ${names(is)}, was ${names(was)}`, breaking);
  }

  #values({ before, after, path }: SchemaPair): void {
    const [was, is] = [valuesOf(before), valuesOf(after)];
    if (was === undefined && is === undefined) return;
    if (was === undefined || is === undefined) {
      const isNarrower = was === undefined;
      const values = (was ?? is ?? []).map(shown).join(', ');
      const text = isNarrower ? `is limited to ${values} now` : `is no longer limited to ${values}`;
      this.#add(path, text, (this.#direction === 'input') === isNarrower);
      return;
    }
    for (const value of without(was, is))
      this.#add(path, `value ${shown(value)} removed`, this.#direction === 'input');
    for (const value of without(is, was))
      this.#add(path, `value ${shown(value)} added`, this.#direction === 'output');
  }

  #bounds({ before, after, path }: SchemaPair): void {
    for (const [names, sign] of [
      [lowerBounds, 1],
      [upperBounds, -1],
    ] as const) {
      for (const name of names) {
        const [was, is] = [boundOf(before[name]), boundOf(after[name])];
        if (isDeepStrictEqual(was, is)) continue;
        const isNarrower = typeof was !== 'number' || (typeof is === 'number' && sign * (is - was) > 0);
        const breaking = (this.#direction === 'input') === isNarrower;
        this.#add(path, changeText(name, was, is), breaking);
      }
    }
  }

  #members({ before, after, path }: SchemaPair, depth: number): void {
    const [was, is] = [membersOf(before), membersOf(after)];
    const [wasRequired, isRequired] = [requiredOf(before), requiredOf(after)];
    const isInput = this.#direction === 'input';
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const at = `${path}.${name}`;
      const required = isRequired.has(name);
      if (!Object.hasOwn(is, name)) this.#add(at, 'removed', true);
      else if (!Object.hasOwn(was, name))
        this.#add(at, required && isInput ? 'added, required' : 'added', isInput && required);
      else {
        if (required !== wasRequired.has(name))
          this.#add(at, required ? 'is required now' : 'is optional now', required === isInput);
        this.compare({ before: was[name], after: is[name], path: at }, depth + 1);
      }
    }
    const [wasOpen, isOpen] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
    if (isObject(wasOpen) && isObject(isOpen))
      this.compare({ before: wasOpen, after: isOpen, path: `${path}.*` }, depth + 1);
    else if (!isDeepStrictEqual(wasOpen, isOpen)) {
      const isNarrower = isOpen === false || wasOpen === true;
      const closed = isOpen === false ? 'other members are rejected now' : undefined;
      const opened =
        wasOpen === false ? 'other members are accepted now' : 'the rule for other members changed';
      const text = closed ?? opened;
      this.#add(path, text, isInput && isNarrower);
    }
  }

  #branches({ before, after, path }: SchemaPair, depth: number): void {
    const [was, is] = [before.anyOf, after.anyOf];
    if (isDeepStrictEqual(was, is)) return;
    if (!Array.isArray(was) || !Array.isArray(is)) {
      this.#changed(path, 'anyOf', { isNarrower: Array.isArray(is), isWider: Array.isArray(was) });
      return;
    }
    const [removed, added] = [without(was, is), without(is, was)];
    if (removed.length === 1 && added.length === 1)
      this.compare({ before: removed[0], after: added[0], path: `${path}.anyOf` }, depth + 1);
    else this.#alternatives(path, removed, added);
  }

  #items({ before, after, path }: SchemaPair, depth: number): void {
    const [was, is] = [before.items, after.items];
    if (!isDeepStrictEqual(was, is) || hasReference(was))
      this.compare({ before: was ?? true, after: is ?? true, path: `${path}[]` }, depth + 1);
    if (!isDeepStrictEqual(before.prefixItems, after.prefixItems))
      this.#changed(path, 'prefixItems', { isNarrower: true, isWider: true });
  }
}

/** Returns the values of a list that another list does not have. */
function without(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  return list.filter((one) => !other.some((its) => isDeepStrictEqual(one, its)));
}

/** True for a schema that consists of alternatives. */
function isUnion({ anyOf, type }: Schema): boolean {
  return Array.isArray(anyOf) && type === undefined;
}

/** Returns the alternatives of a schema; without any, the schema itself without its texts. */
function alternativesOf(schema: Schema): readonly unknown[] {
  if (isUnion(schema)) return schema.anyOf as readonly unknown[];
  return [
    Object.fromEntries(
      Object.entries(schema).filter(([name]) => !(texts as readonly string[]).includes(name)),
    ),
  ];
}

/** Returns a bound; undefined for one that every integer of JavaScript meets, which libraries write for each integer. */
function boundOf(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value;
}

const all = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return all;
  return Array.isArray(type) ? type.map(String) : [String(type)];
}

function accepts(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function membersOf({ properties }: Schema): Schema {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: Schema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

function changeText(name: string, was: unknown, is: unknown): string {
  if (was === undefined) return `${name} ${shown(is)} added`;
  if (is === undefined) return `${name} removed`;
  return name === 'description'
    ? `${name} ${textChange(was, is)}`
    : `${name} is ${shown(is)}, was ${shown(was)}`;
}

const references = new WeakMap<object, boolean>();

function hasReference(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const known = references.get(schema);
  if (known !== undefined) return known;
  const found = Object.hasOwn(schema, '$ref') || Object.values(schema).some(hasReference);
  references.set(schema, found);
  return found;
}

function definitionsIn(root: unknown): unknown {
  return isObject(root) ? [root.$defs, root.definitions] : undefined;
}

/** Returns a schema without its local reference; undefined if the reference leads nowhere. */
function resolved(schema: unknown, root: unknown): Schema | undefined {
  let current = schema;
  for (let step = 0; step < 16; step++) {
    if (typeof current === 'boolean') return current ? {} : { enum: [] };
    if (!isObject(current)) return undefined;
    const { $ref } = current;
    if (typeof $ref !== 'string') return current;
    if (!$ref.startsWith('#')) return undefined;
    current = targetOf($ref, root);
  }
  return undefined;
}

function targetOf(reference: string, root: unknown): unknown {
  let value = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
