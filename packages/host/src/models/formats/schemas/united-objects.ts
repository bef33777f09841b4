import { distinct, intersection, isSame, type Spot } from './intersection.js';
import { inside, type Schema, typesOf } from './rewriting.js';

const unions = ['anyOf', 'oneOf'] as const;
/** The most branches that a sentence lists, and its most characters. */
const listed = { branches: 20, characters: 2_000 };

/** A schema of one object, and sentences about what it no longer says. */
export interface United {
  readonly schema: Schema;
  readonly sentences: readonly string[];
}

/**
 * Returns an object schema without `anyOf`, `oneOf` and `allOf` of its own: the members of all branches are members of the one
 * object, and required if every branch requires them. Anthropic and OpenAI reject these keywords at the root
 * (https://github.com/langchain-ai/langchainjs/issues/9804, https://github.com/anomalyco/opencode/issues/35516).
 */
export function unitedObject(schema: Schema, spot: Spot): United {
  const { allOf, ...own } = schema;
  let united: Schema = own;
  for (const one of listOf(allOf)) united = intersection(united, one, spot);
  if (united.allOf !== undefined) return unitedObject(united, spot);
  const sentences: string[] = [];
  for (const keyword of unions) {
    if (united[keyword] === undefined) continue;
    const { [keyword]: list, ...base } = united;
    const inner = listOf(list)
      .map((branch, index) =>
        unitedObject(branch, { ...spot, path: inside(spot.path, keyword, String(index)) }),
      )
      .filter((branch) => mayBeObject(branch.schema));
    const sentence = sentenceOf(keyword, base, inner);
    spot.rewriting.lose(
      spot.path,
      keyword,
      `The format allows one object here, so the members of all ${listOf(list).length} branches are members of it. The description states which belong together.`,
    );
    if (sentence !== undefined) sentences.push(sentence);
    sentences.push(...inner.flatMap((branch) => branch.sentences));
    united = withBranches(base, { branches: inner.map((branch) => branch.schema), spot });
  }
  return { schema: united, sentences };
}

function listOf(list: unknown): readonly Schema[] {
  return Array.isArray(list) ? (list as readonly Schema[]) : [];
}

/** True for a schema that some object matches, as far as its types say. */
function mayBeObject(schema: Schema): boolean {
  const types = typesOf(schema);
  return !isImpossible(schema) && (types.length === 0 || types.includes('object'));
}

/** True for a schema that no value matches, as `false` is. */
export function isImpossible({ not }: Schema): boolean {
  return not !== undefined && isSame(not, {});
}

interface Branches {
  readonly branches: readonly Schema[];
  readonly spot: Spot;
}

function withBranches(base: Schema, { branches, spot }: Branches): Schema {
  const members = propertiesOf(base);
  const forms = new Map<string, Schema[]>();
  const required = new Map<string, number>();
  for (const branch of branches) {
    for (const [name, form] of propertiesOf(branch)) {
      const known = forms.get(name);
      if (known === undefined) forms.set(name, [form]);
      else known.push(form);
    }
    for (const name of new Set(requiredOf(branch))) required.set(name, (required.get(name) ?? 0) + 1);
  }
  for (const [name, all] of forms) {
    const path = inside(spot.path, 'properties', name);
    const own = members.get(name);
    if (own === undefined) members.set(name, eitherOf(all));
    else if (all.length === branches.length)
      members.set(name, eitherOf(all.map((form) => intersection(own, form, { ...spot, path }))));
  }
  const always = [...required].filter(([, count]) => count === branches.length).map(([name]) => name);
  const names = [...new Set([...requiredOf(base), ...always])];
  const isClosed = branches.length > 0 && branches.every((branch) => branch.additionalProperties === false);
  return {
    ...base,
    ...(members.size > 0 && { properties: Object.fromEntries(members) }),
    ...(names.length > 0 && { required: names }),
    ...(isClosed && base.additionalProperties === undefined && { additionalProperties: false }),
  };
}

/** Returns a schema for the values of any of the forms; one `enum` if all are lists of values of one type. */
export function eitherOf(forms: readonly Schema[]): Schema {
  const different = distinct(forms);
  const [first = {}] = different;
  if (different.length < 2) return first;
  const lists = different.map(valuesOf);
  const isOneType = different.every((form) => isSame(form.type, first.type));
  if (!isOneType || lists.some((list) => list === undefined)) return { anyOf: different };
  const { const: _, ...rest } = first;
  return { ...rest, enum: distinct(lists.flat()) };
}

/** Returns the values of a schema that is nothing but a list of values; undefined for any other. */
function valuesOf(schema: Schema): readonly unknown[] | undefined {
  const known = ['type', 'title', 'description', 'const', 'enum'];
  if (Object.keys(schema).some((keyword) => !known.includes(keyword))) return undefined;
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

export function propertiesOf({ properties }: Schema): Map<string, Schema> {
  return new Map(Object.entries((properties ?? {}) as { readonly [name: string]: Schema }));
}

export function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : [];
}

/** Returns a sentence about the members that each branch requires; undefined if no branch requires more than the others. */
function sentenceOf(
  keyword: 'anyOf' | 'oneOf',
  base: Schema,
  branches: readonly United[],
): string | undefined {
  const common = requiredOf(base);
  const groups = branches.map(({ schema }) => {
    const properties = propertiesOf(schema);
    return requiredOf(schema)
      .filter((name) => !common.includes(name) || valueIn(properties.get(name)) !== undefined)
      .map((name) => `${name}${valueIn(properties.get(name)) ?? ''}`);
  });
  if (groups.every((group) => group.length === 0)) return undefined;
  const texts = groups
    .slice(0, listed.branches)
    .map((group) => `(${group.length === 0 ? 'no further members' : group.join(', ')})`);
  if (groups.length > texts.length) texts.push(`and ${groups.length - texts.length} more`);
  const number = keyword === 'anyOf' ? 'At least' : 'Exactly';
  return `${number} one of these groups of members is required: ${texts.join(' or ')}.`.slice(
    0,
    listed.characters,
  );
}

function valueIn(schema: Schema | undefined): string | undefined {
  const [value, ...others] = schema === undefined ? [] : (valuesOf(schema) ?? []);
  return value === undefined || others.length > 0 ? undefined : ` = ${JSON.stringify(value)}`;
}
