import { isRecord } from '@tenon/foundation';
import { checkSchema, inlineReferences, withObjectRoot } from '@tenon/json-schema';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { OpenApiDocument } from '../document/document.js';
import { Unsupported } from '../document/references.js';
import { lineOf } from '../document/texts.js';
import { annotations, isPattern, limits, short, structure } from './keywords.js';

/** Nested levels of a schema, through its references, from the most to the least. Deeper ones have a type and a description alone. */
const levels = [20, 8, 6, 5, 4, 3, 2] as const;
/** Schemas of one tool, those of its definitions included; further ones accept any value. */
const mostSchemas = 600;
/** Characters of the JSON of a schema without references: an input is a part of each request of a model. */
const mostCharacters: Readonly<Record<Direction, number>> = { input: 12_000, output: 40_000 };
const mostEnumValues = 200;
const textLength = 300;
const exampleLength = 100;

/** The side of a tool that a schema is for. */
export type Direction = 'input' | 'output';

/**
 * Returns what `build` makes with as many levels of its schemas as fit into the bounds of a tool.
 * @param build - returns undefined if there is no schema.
 */
export function fitting<Built extends { readonly schema: UnknownObject }>(
  document: OpenApiDocument,
  direction: Direction,
  build: (writer: ToolSchema) => Built | undefined,
): Built | undefined {
  for (const depth of levels) {
    const writer = new ToolSchema(document, direction, depth);
    const built = build(writer);
    if (built === undefined) return undefined;
    const isLast = depth === levels.at(-1);
    const isTooLarge = writer.isCut || JSON.stringify(built.schema).length > mostCharacters[direction];
    if (isTooLarge && !isLast) continue;
    const schema = accepted(built.schema, direction);
    if (isLast || JSON.stringify(schema).length <= mostCharacters[direction]) return { ...built, schema };
  }
  return undefined;
}

/** Returns a schema as a server lists it. @throws Unsupported if no server accepts it. */
function accepted(schema: UnknownObject, direction: Direction): UnknownObject {
  try {
    checkSchema(schema, { owner: direction, dialect: '2020-12' });
    const inlined = inlineReferences(schema, '2020-12');
    // Revisions before 2026-07-28 have no other outputs.
    return withObjectRoot(inlined) ?? inlined;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Unsupported(`its ${message}`, { cause });
  }
}

const single = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
] as const;
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
/** The keywords that reject a value which matches a schema: without its deeper levels the schema matches more values. */
const ofWholes: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else']);
const named = ['properties', 'patternProperties', 'dependentSchemas'] as const;
/** The keywords with schemas that outputs have too. */
const ofOutputs: ReadonlySet<string> = new Set([
  ...['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties'],
]);

/**
 * Writes schemas of a document as JSON Schema 2020-12 for one tool. References stay, to definitions in `$defs`. An input has the
 * limits of values. An output has the types of members alone: APIs leave out members that a document requires, and add
 * values to enumerations, and their answers must not fail.
 */
export class ToolSchema {
  readonly #document: OpenApiDocument;
  readonly #direction: Direction;
  readonly #names = new Map<string, string>();
  readonly #waiting: (readonly [name: string, reference: string, depth: number])[] = [];
  readonly #deepest: number;
  #left = mostSchemas;

  constructor(document: OpenApiDocument, direction: Direction, deepest: number) {
    this.#document = document;
    this.#direction = direction;
    this.#deepest = deepest;
  }

  /** True if there were more schemas than a tool may have. */
  get isCut(): boolean {
    return this.#left < 0;
  }

  /** @throws Unsupported if a reference cannot be followed. */
  convert(schema: unknown): UnknownObject {
    return this.#convert(schema, 0);
  }

  /** Returns `$defs` for all references so far; nothing if there are none. */
  definitions(): { readonly $defs?: UnknownObject } {
    const definitions: [string, UnknownObject][] = [];
    // A definition may refer to more of them.
    for (const [name, reference, depth] of this.#waiting)
      definitions.push([name, this.#convert(this.#document.references.target(reference), depth)]);
    return definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) };
  }

  #convert(schema: unknown, depth: number): UnknownObject {
    if (schema === false) return { not: {} };
    if (!isRecord(schema) || depth > 2 * levels[0] || --this.#left < 0) return {};
    const { hasOldSchemas } = this.#document;
    if (typeof schema.$ref === 'string') {
      const target = this.#reference(schema.$ref, depth);
      // In 3.0 members beside a reference are ignored; many documents have a description there.
      return hasOldSchemas
        ? { ...target, ...this.#texts({ description: schema.description }) }
        : { ...this.#members(schema, depth), ...target };
    }
    const members = this.#members(schema, depth);
    return hasOldSchemas && schema.nullable === true ? orNull(members) : members;
  }

  #reference(reference: string, depth: number): UnknownObject {
    let name = this.#names.get(reference);
    if (name === undefined) {
      // Fails here rather than in definitions() if there is no target.
      this.#document.references.follow({ $ref: reference });
      name = this.#freeName(reference);
      this.#names.set(reference, name);
      this.#waiting.push([name, reference, depth]);
    }
    return { $ref: `#/$defs/${name}` };
  }

  #freeName(reference: string): string {
    const last =
      reference
        .split('/')
        .at(-1)
        ?.replace(/[^\w-]+/g, '_')
        .slice(0, 60) || 'schema';
    const taken = new Set(this.#names.values());
    let name = last === '__proto__' ? 'schema' : last;
    for (let number = 2; taken.has(name); number++) name = `${last}_${number}`;
    return name;
  }

  #members(schema: UnknownObject, depth: number): UnknownObject {
    const isInput = this.#direction === 'input';
    const members: Record<string, unknown> = this.#texts(schema);
    for (const [keyword, read] of [...structure, ...annotations, ...(isInput ? limits : [])]) {
      const isLeftOut = keyword === 'required' && (!isInput || depth >= this.#deepest);
      const value = Object.hasOwn(schema, keyword) && !isLeftOut ? read(schema[keyword]) : undefined;
      if (value !== undefined) members[keyword] = value;
    }
    if (isInput) addValues(schema, members);
    if (isInput && this.#document.hasOldSchemas) addOldLimits(schema, members);
    if (depth < this.#deepest) this.#addInner(schema, { members, depth });
    this.#leaveOut(schema, members);
    return members;
  }

  #texts({ title, description }: UnknownObject): Record<string, unknown> {
    const found = { title: lineOf(title, 100), description: lineOf(description, textLength) };
    return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined));
  }

  #addInner(schema: UnknownObject, { members, depth }: Inner): void {
    const isWhole = this.#deepest === levels[0];
    const has = (keyword: string) =>
      Object.hasOwn(schema, keyword) &&
      (this.#direction === 'input' ? isWhole || !ofWholes.has(keyword) : ofOutputs.has(keyword));
    const convert = (inner: unknown) => this.#convert(inner, depth + 1);
    for (const keyword of single) {
      const inner = has(keyword) ? schema[keyword] : undefined;
      // Answers get new members.
      if (inner === true || (inner === false && this.#direction === 'input')) members[keyword] = inner;
      else if (isRecord(inner)) members[keyword] = convert(inner);
    }
    for (const keyword of named) {
      const inner = has(keyword) ? schema[keyword] : undefined;
      if (!isRecord(inner) || (keyword === 'patternProperties' && !Object.keys(inner).every(isPattern)))
        continue;
      members[keyword] = Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, convert(one)]));
    }
    for (const keyword of listed) {
      const list = has(keyword) ? schema[keyword] : undefined;
      if (!Array.isArray(list) || list.length === 0) continue;
      // Alternatives without their deeper levels, and answers with new members, match more than one.
      const written = keyword === 'oneOf' ? 'anyOf' : keyword;
      if (members[written] === undefined) members[written] = list.map(convert);
    }
  }

  /** Leaves out properties that a request or a response never has, and names that are not safe to show. */
  #leaveOut(schema: UnknownObject, members: Record<string, unknown>): void {
    if (!isRecord(schema.properties) || !isRecord(members.properties)) return;
    const other = this.#direction === 'input' ? 'readOnly' : 'writeOnly';
    const isLeftOut = (name: string, value: unknown) =>
      name === '__proto__' || hasControls(name) || (isRecord(value) && value[other] === true);
    const gone = new Set(
      Object.entries(schema.properties).flatMap(([name, value]) => (isLeftOut(name, value) ? [name] : [])),
    );
    if (gone.size === 0) return;
    const kept = Object.entries(members.properties).filter(([name]) => !gone.has(name));
    members.properties = Object.fromEntries(kept);
    if (!Array.isArray(members.required)) return;
    members.required = members.required.filter((name: string) => !gone.has(name));
  }
}

interface Inner {
  readonly members: Record<string, unknown>;
  readonly depth: number;
}

function addValues(schema: UnknownObject, members: Record<string, unknown>): void {
  const { const: constant, default: initial, example, examples } = schema;
  if (constant !== undefined && short(constant, 1_000) !== undefined) members.const = constant;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) {
    const values = schema.enum.filter((value) => short(value, 1_000) !== undefined);
    if (values.length <= mostEnumValues && values.length > 0) members.enum = values;
  }
  if (short(initial, exampleLength) !== undefined) members.default = initial;
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  if (shown !== undefined && short(shown, exampleLength) !== undefined) members.examples = [shown];
}

/** Adds limits that are written otherwise in 3.0. */
function addOldLimits(schema: UnknownObject, members: Record<string, unknown>): void {
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[flag] !== true || members[limit] === undefined) continue;
    members[flag] = members[limit];
    delete members[limit];
  }
}

/** Returns a schema that accepts null too. */
function orNull(members: UnknownObject): UnknownObject {
  const { type, enum: values, description, title, ...rest } = members;
  const holdsSchemas = [...listed, '$ref', 'not', 'const'].some((keyword) => keyword in rest);
  if (type === undefined && !holdsSchemas) return members;
  if (holdsSchemas || Array.isArray(type)) {
    const { description: _, title: __, ...own } = members;
    return {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      anyOf: [own, { type: 'null' }],
    };
  }
  const withNull = Array.isArray(values) && !values.includes(null) ? [...values, null] : values;
  return { ...members, type: [type, 'null'], ...(withNull !== undefined && { enum: withNull }) };
}

function hasControls(name: string): boolean {
  return name.length > 200 || lineOf(name, 200) !== name.trim().replace(/\s+/g, ' ');
}
