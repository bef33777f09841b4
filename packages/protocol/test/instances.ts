// Support for the tests beside it: makes values from JSON Schemas and breaks them. The suffix keeps it out of the package.
import { isObject, type UnknownObject } from '../src/json-rpc/json.js';
import type { Published } from './published-schemas.js';

/** A value with one thing wrong, or at least changed. */
export interface Mutant {
  readonly value: unknown;
  /** Path of the change, in the form that problems use. */
  readonly path: string;
  readonly change: string;
}

interface Plan {
  readonly schema: Published;
  /** Optional members too. */
  readonly full: boolean;
  /** Index of the alternative to use where only one fits. */
  readonly pick: number;
  readonly depth: number;
  /** Strings that have to be certain words, by member name. */
  readonly words: Readonly<Record<string, string>>;
}

const passes = 8;

/** Minimal and full instances; every alternative and every word of an enum is in one of them. */
export function instances(
  schema: Published,
  pointer: string,
  words: Readonly<Record<string, string>> = {},
): readonly unknown[] {
  const node = schema.at(pointer);
  const made = [false, true].flatMap((full) =>
    Array.from({ length: passes }, (_, pick) => build(node, { schema, full, pick, depth: 0, words })),
  );
  return [...new Map(made.map((value) => [JSON.stringify(value), value])).values()];
}

function alternatives(node: UnknownObject): readonly UnknownObject[] | undefined {
  if (Array.isArray(node.anyOf)) return node.anyOf.filter(isObject);
  if (Array.isArray(node.type)) return node.type.map((type) => ({ ...node, type }));
  return undefined;
}

function build(node: UnknownObject, plan: Plan): unknown {
  if (typeof node.$ref === 'string') return build(plan.schema.at(node.$ref), plan);
  if (node.const !== undefined) return node.const;
  if (Array.isArray(node.enum)) return node.enum[plan.pick % node.enum.length];
  const choices = alternatives(node);
  if (choices !== undefined) return build(choices[plan.pick % choices.length] ?? {}, plan);
  if (Array.isArray(node.allOf)) {
    return Object.assign({}, ...node.allOf.filter(isObject).map((part) => build(part, plan)));
  }
  switch (node.type) {
    case 'string':
      return 'text';
    case 'number':
      return 0.5;
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return buildArray(node, plan);
    case 'object':
      return buildObject(node, plan);
    default:
      return { any: ['value', 1.5, null] };
  }
}

function buildArray(node: UnknownObject, plan: Plan): unknown {
  if (!plan.full || plan.depth > 7 || !isObject(node.items)) return [];
  return each(node.items, plan);
}

/** One value for each alternative, so that lists and maps hold them all. */
function each(node: UnknownObject, plan: Plan): readonly unknown[] {
  const target = typeof node.$ref === 'string' ? plan.schema.at(node.$ref) : node;
  const choices = alternatives(target) ?? [target];
  return choices.map((choice) => build(choice, { ...plan, depth: plan.depth + 1 }));
}

function buildObject(node: UnknownObject, plan: Plan): UnknownObject {
  const properties = isObject(node.properties) ? node.properties : {};
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  const out: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property) || (!plan.full && !required.has(key)) || plan.depth > 12) continue;
    out[key] = plan.words[key] ?? build(property, { ...plan, depth: plan.depth + 1 });
  }
  const more = node.additionalProperties;
  if (plan.full && plan.depth < 4 && isObject(more)) {
    for (const [index, value] of each(more, plan).entries()) out[`extra${index}`] = value;
  }
  return out;
}

const replacements: readonly unknown[] = [
  null,
  -1,
  1.5,
  42,
  'wrong',
  true,
  [],
  {},
  [null],
  [7],
  Array(101).fill('a'),
];

/** Every instance with one member replaced by a value of each other sort, or left out; and with a member of its own. */
export function* mutants(value: unknown, path = ''): Generator<Mutant> {
  for (const other of replacements) {
    if (path !== '') yield { value: other, path, change: `becomes ${JSON.stringify(other).slice(0, 20)}` };
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const inner of mutants(item, `${path}[${index}]`)) {
        yield { ...inner, value: value.map((old, at) => (at === index ? inner.value : old)) };
      }
    }
  } else if (isObject(value)) {
    yield { value: { ...value, 'x-vendor': 1 }, path, change: 'gains x-vendor' };
    for (const key of Object.keys(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      const { [key]: _, ...rest } = value;
      yield { value: rest, path: at, change: 'left out' };
      for (const inner of mutants(value[key], at))
        yield { ...inner, value: { ...value, [key]: inner.value } };
    }
  }
}
