import { printableJson } from '@tenon/foundation';
import { addSchemaTarget, noSchemaTargets, resolveReference } from '@tenon/json-schema/structure';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { commentText, docComment, oneLine, propertyName, wrapped } from './type-text.js';

/** Options of {@link typeOf}. */
interface TypeOptions {
  /** The document that `$ref` refers to. Default: the schema itself. */
  readonly root?: unknown;
  /** `line`: in one line. `block`: a line for each property, with doc comments. Default: `line`. */
  readonly layout?: 'line' | 'block';
  /** Leaves out what a reader can miss: long lists of values, deep levels, comments. Default: false. */
  readonly brief?: boolean;
  /** Returns the name of the type to print for the target of a `$ref`. Default: the target is printed in place. */
  readonly nameOf?: (target: unknown, reference: string) => string | undefined;
}

/**
 * Returns a JSON Schema as a TypeScript type. Facts that TypeScript has no types for, such as formats, ranges and defaults, are
 * comments. A schema that contains itself, one of more than 20 levels, and all after 5,000 parts become `unknown`.
 */
export function typeOf(schema: unknown, options: TypeOptions = {}): string {
  return new TypeWriter(options.root ?? schema, options).type(schema).text;
}

/** Returns the schema that a `$ref` at its top refers to; references to other documents are not followed. */
export function resolved(schema: unknown, root: unknown): unknown {
  let found = schema;
  for (let hops = 0; hops < 20; hops += 1) {
    if (!isObject(found) || typeof found.$ref !== 'string') return found;
    const target = targetOf(found.$ref, root);
    if (target === undefined) return found;
    found = target.found;
  }
  return {};
}

function targetOf(reference: string, root: unknown): { found: unknown } | undefined {
  if (!isObject(root)) return undefined;
  const targets = noSchemaTargets();
  const base = addSchemaTarget(targets, root, undefined);
  const target = resolveReference(targets, reference, base);
  return typeof target === 'string' ? undefined : target;
}

/** A printed type. A compound needs parentheses as the element of an array. */
interface Printed {
  readonly text: string;
  readonly isCompound: boolean;
}

const simple = (text: string): Printed => ({ text, isCompound: false });
const anything = simple('unknown');
const mostLevels = { whole: 20, brief: 4 };
const mostParts = 5_000;
const mostMembers = { whole: 1_000, brief: 10 };
const docWidth = 100;

class TypeWriter {
  readonly #root: unknown;
  readonly #options: TypeOptions;
  readonly #open = new Set<unknown>();
  #parts = 0;
  /** The members and elements that are open. */
  #inside = 0;
  #levels = 0;

  constructor(root: unknown, options: TypeOptions) {
    this.#root = root;
    this.#options = options;
  }

  type(schema: unknown): Printed {
    if (schema === false) return simple('never');
    if (!isObject(schema)) return anything;
    const limit = this.#options.brief ? mostLevels.brief : mostLevels.whole;
    this.#parts += 1;
    if (this.#levels >= limit || this.#parts > mostParts || this.#open.has(schema)) return anything;
    this.#levels += 1;
    this.#open.add(schema);
    try {
      return this.#commented(this.#whole(schema), schema);
    } finally {
      this.#levels -= 1;
      this.#open.delete(schema);
    }
  }

  /** Prints the type of a member or element. */
  #part(schema: unknown): Printed {
    this.#inside += 1;
    const type = this.type(schema);
    this.#inside -= 1;
    return type;
  }

  #commented(type: Printed, schema: UnknownObject): Printed {
    const facts = factsOf(schema);
    if (facts.length === 0 || type.text === 'never') return type;
    const comment = oneLine(facts.join(', '), this.#options.brief ? 40 : 200);
    return { text: `${type.text} /* ${commentText(comment)} */`, isCompound: true };
  }

  #whole(schema: UnknownObject): Printed {
    const { $ref, oneOf, anyOf, allOf } = schema;
    const parts: Printed[] = [];
    if (typeof $ref === 'string') parts.push(this.#reference($ref));
    if (Array.isArray(allOf)) parts.push(...allOf.map((one) => this.type(one)));
    for (const options of [oneOf, anyOf])
      if (Array.isArray(options) && options.some(saysMore)) parts.push(this.#union(options));
    // A type beside its variants says nothing new, unless it has members of its own.
    if (parts.length === 0 || isObject(schema.properties)) parts.unshift(this.#own(schema));
    const type = intersectionOf(parts);
    return schema.nullable === true ? unionOf([type, simple('null')]) : type;
  }

  #reference(reference: string): Printed {
    const target = targetOf(reference, this.#root);
    if (target === undefined) return simple(`unknown /* ${commentText(oneLine(reference, 60))} */`);
    // TypeScript rejects a type that refers to itself outside of a member or an element.
    const name = this.#inside > 0 ? this.#options.nameOf?.(target.found, reference) : undefined;
    return name === undefined ? this.type(target.found) : simple(name);
  }

  #union(options: readonly unknown[]): Printed {
    const { shown, hidden } = this.#shown(options);
    return unionOf([...shown.map((one) => this.type(one)), ...hidden]);
  }

  #own(schema: UnknownObject): Printed {
    if (Object.hasOwn(schema, 'const')) return this.#literal(schema.const);
    if (Array.isArray(schema.enum)) {
      const { shown, hidden } = this.#shown(schema.enum);
      return unionOf([...shown.map((value) => this.#literal(value)), ...hidden]);
    }
    const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? impliedType(schema)];
    return unionOf(types.slice(0, 10).map((type) => this.#ofType(type, schema)));
  }

  #shown<T>(members: readonly T[]): { shown: readonly T[]; hidden: readonly Printed[] } {
    const most = this.#options.brief ? mostMembers.brief : mostMembers.whole;
    if (members.length <= most) return { shown: members, hidden: [] };
    const isText = members.every((member) => typeof member === 'string');
    const more = `${isText ? 'string' : 'unknown'} /* ${members.length - most} more */`;
    return { shown: members.slice(0, most), hidden: [{ text: more, isCompound: true }] };
  }

  #ofType(type: unknown, schema: UnknownObject): Printed {
    if (type === 'object') return this.#object(schema);
    if (type === 'array') return this.#array(schema);
    if (type === 'integer') return simple('number');
    return ['string', 'number', 'boolean', 'null'].includes(String(type)) ? simple(String(type)) : anything;
  }

  #literal(value: unknown, levels = 0): Printed {
    this.#parts += 1;
    if (levels > mostLevels.brief || this.#parts > mostParts) return anything;
    if (typeof value === 'number' && !Number.isFinite(value)) return simple('number');
    if (Array.isArray(value))
      return simple(`[${value.map((item) => this.#literal(item, levels + 1).text).join(', ')}]`);
    if (!isObject(value)) return simple(value === undefined ? 'unknown' : printableJson(value));
    const members = Object.entries(value).map(
      ([name, member]) => `${propertyName(name)}: ${this.#literal(member, levels + 1).text}`,
    );
    return simple(members.length === 0 ? '{}' : `{ ${members.join('; ')} }`);
  }

  #object(schema: UnknownObject): Printed {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = new Set(
      Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [],
    );
    const names = [...new Set([...Object.keys(properties), ...required])];
    if (names.length === 0) return this.#record(schema);
    const { additionalProperties: more } = schema;
    const members = names.map((name) => {
      const member = Object.hasOwn(properties, name) ? properties[name] : true;
      return { name, isRequired: required.has(name), type: this.#part(member).text, schema: member };
    });
    return this.#members(members, more === true || isObject(more));
  }

  #record({ additionalProperties: more, patternProperties }: UnknownObject): Printed {
    const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
    if (patterns.length === 0 && more === false) return simple('Record<string, never>');
    const values = [...patterns, ...(isObject(more) ? [more] : [])];
    const type = values.length === 0 ? anything : unionOf(values.map((value) => this.#part(value)));
    const isNamed = this.#options.nameOf !== undefined;
    return simple(isNamed ? `{ [name: string]: ${type.text} }` : `Record<string, ${type.text}>`);
  }

  #members(members: readonly Member[], isOpen: boolean): Printed {
    if (this.#options.layout !== 'block') {
      const texts = members.map(memberText);
      return simple(`{ ${[...texts, ...(isOpen ? ['[name: string]: unknown'] : [])].join('; ')} }`);
    }
    const lines = members.flatMap((member) => [...memberComment(member), `${memberText(member)};`]);
    if (isOpen) lines.push('[name: string]: unknown;');
    return simple(`{\n${indented(lines.join('\n'))}\n}`);
  }

  #array(schema: UnknownObject): Printed {
    const { prefixItems, items } = schema;
    const first = [prefixItems, items].find((list) => Array.isArray(list));
    if (first !== undefined) return this.#tuple(first, schema);
    const type = this.#part(items ?? true);
    return simple(type.isCompound ? `(${type.text})[]` : `${type.text}[]`);
  }

  #tuple(first: readonly unknown[], schema: UnknownObject): Printed {
    const rest = Array.isArray(schema.prefixItems) ? schema.items : schema.additionalItems;
    const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
    const elements = first.slice(0, 100).map((item, index) => {
      const { text, isCompound } = this.#part(item);
      if (index < least) return text;
      return isCompound ? `(${text})?` : `${text}?`;
    });
    const isClosed = rest === false || schema.maxItems === first.length;
    if (!isClosed) {
      const more = this.#part(rest ?? true);
      elements.push(more.isCompound ? `...(${more.text})[]` : `...${more.text}[]`);
    }
    return simple(`[${elements.join(', ')}]`);
  }
}

/** False for a variant that only names required members, which would be noise as a type. */
function saysMore(variant: unknown): boolean {
  return !isObject(variant) || Object.keys(variant).some((keyword) => keyword !== 'required');
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly schema: unknown;
}

function memberText({ name, isRequired, type }: Member): string {
  return `${propertyName(name)}${isRequired ? '' : '?'}: ${type}`;
}

function memberComment({ schema }: Member): string[] {
  const description = isObject(schema) ? (schema.description ?? schema.title) : undefined;
  if (typeof description !== 'string' || description.trim() === '') return [];
  return docComment(wrapped(description, docWidth), docWidth);
}

/** Returns the lines of a text with two more spaces before each. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function impliedType(schema: UnknownObject): string | undefined {
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format', 'contentEncoding')) return 'string';
  return has('minimum', 'maximum', 'multipleOf') ? 'number' : undefined;
}

function unionOf(members: readonly Printed[]): Printed {
  const texts = [...new Set(members.map(({ text }) => text))];
  if (texts.includes('unknown')) return anything;
  const [only = 'never'] = texts;
  if (texts.length <= 1) return members.find(({ text }) => text === only) ?? simple(only);
  const inner = texts.map((text) => members.find((member) => member.text === text) ?? simple(text));
  return { text: inner.map(({ text }) => text).join(' | '), isCompound: true };
}

function intersectionOf(members: readonly Printed[]): Printed {
  const known = members.filter(({ text }) => text !== 'unknown');
  const [only = anything] = known;
  if (known.length <= 1) return only;
  const text = known.map((member) => (member.isCompound ? `(${member.text})` : member.text)).join(' & ');
  return { text, isCompound: true };
}

/** Returns the facts of a schema that TypeScript has no types for, as short texts: `integer`, `date-time`, `1 to 100`, `default 10`. */
function factsOf(schema: UnknownObject): string[] {
  const facts: string[] = [];
  if (schema.type === 'integer') facts.push('integer');
  for (const keyword of ['format', 'contentEncoding'])
    if (typeof schema[keyword] === 'string') facts.push(oneLine(schema[keyword], 40));
  facts.push(...range(schema.minimum, schema.maximum, ''));
  facts.push(...range(schema.minLength, schema.maxLength, ' characters'));
  const isTuple = Array.isArray(schema.prefixItems) || Array.isArray(schema.items);
  if (!isTuple) facts.push(...range(schema.minItems, schema.maxItems, ' items'));
  if (Object.hasOwn(schema, 'default')) facts.push(`default ${oneLine(printableJson(schema.default), 60)}`);
  return facts;
}

// Some libraries write the largest integers as bounds of all integers.
function range(least: unknown, most: unknown, unit: string): string[] {
  const [from, to] = [least, most].map((bound) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined,
  );
  if (from !== undefined && to !== undefined)
    return [from === to ? `${from}${unit}` : `${from} to ${to}${unit}`];
  if (from !== undefined && !(unit !== '' && from === 0)) return [`at least ${from}${unit}`];
  return to === undefined ? [] : [`at most ${to}${unit}`];
}
