import { didYouMean, jsonIn } from '@tenon/foundation';
import type { JsonValue } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { resolved } from './schema-type.js';
import { readValue } from './value-reader.js';

/** The result of a conversion: the value, or the problem as a clause such as `must be a number`. */
type Coerced = { readonly value: JsonValue } | { readonly problem: string };

/** Converts the text of a command line to a value that a schema allows. @param root - the document that `$ref` refers to. */
export function coerce(text: string, schema: unknown, root: unknown): Coerced {
  const allowed = allowedBy(schema, root);
  const { values, types } = allowed;
  if (values.length > 0) return ofValues(text, allowed, root);
  if (types.size === 0) return { value: looseValue(text) };
  for (const attempt of attempts) {
    const coerced = types.has(attempt.type) ? attempt.read(text, allowed, root) : undefined;
    if (coerced !== undefined) return coerced;
  }
  if (types.has('string')) return { value: text };
  return { problem: `must be ${[...types].map((type) => typeTitles.get(type) ?? type).join(' or ')}` };
}

/** The values or types that a schema allows, those of its variants included. */
interface Allowed {
  readonly values: unknown[];
  readonly types: Set<string>;
  items: unknown;
}

function allowedBy(schema: unknown, root: unknown): Allowed {
  const allowed: Allowed = { values: [], types: new Set(), items: true };
  collect(schema, root, { allowed, levels: 0 });
  return allowed;
}

function collect(schema: unknown, root: unknown, place: { allowed: Allowed; levels: number }): void {
  const { allowed, levels } = place;
  const found = resolved(schema, root);
  if (!isObject(found) || levels > 10) return;
  const { oneOf, anyOf, allOf, type, items } = found;
  if (Object.hasOwn(found, 'const')) allowed.values.push(found.const);
  else if (Array.isArray(found.enum)) allowed.values.push(...found.enum);
  else {
    const variants = [oneOf, anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
    for (const variant of variants.slice(0, 100)) collect(variant, root, { allowed, levels: levels + 1 });
    // The type beside variants is that of the variants.
    if (variants.length > 0 && (allowed.values.length > 0 || allowed.types.size > 0)) return;
    for (const one of Array.isArray(type) ? type : [type]) {
      if (typeof one === 'string') allowed.types.add(one);
      else if (isObject(found.properties)) allowed.types.add('object');
    }
    if (items !== undefined) allowed.items = items;
  }
}

interface Attempt {
  readonly type: string;
  read(text: string, allowed: Allowed, root: unknown): Coerced | undefined;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The conversions, in their order; each returns undefined if the text is none of its type. */
const attempts: readonly Attempt[] = [
  {
    type: 'null',
    read: (text, { types }) =>
      text === 'null' || (text === '' && !types.has('string')) ? { value: null } : undefined,
  },
  {
    type: 'boolean',
    read: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : undefined),
  },
  { type: 'integer', read: readNumber },
  { type: 'number', read: readNumber },
  { type: 'array', read: readArray },
  {
    type: 'object',
    read: (text) => (text.trimStart().startsWith('{') ? { value: readValue(text) } : undefined),
  },
];

function readNumber(text: string, { types }: Allowed): Coerced | undefined {
  const trimmed = text.trim();
  if (!jsonNumber.test(trimmed)) return undefined;
  const value = Number(trimmed);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(trimmed))
    return types.has('string') ? { value: text } : { problem: 'is a number that JSON cannot hold exactly' };
  if (!Number.isFinite(value)) return { problem: 'is a number that is too large' };
  if (!types.has('number') && !Number.isInteger(value)) return undefined;
  return { value };
}

function readArray(text: string, { types, items }: Allowed, root: unknown): Coerced | undefined {
  if (text.trimStart().startsWith('[')) return { value: readValue(text) };
  if (types.has('string')) return undefined;
  if (text.trim() === '') return { value: [] };
  const values: JsonValue[] = [];
  for (const part of text.split(',')) {
    const coerced = coerce(part.trim(), items, root);
    if ('problem' in coerced) return { problem: `has an item that ${coerced.problem}: "${part.trim()}"` };
    values.push(coerced.value);
  }
  return { value: values };
}

function ofValues(text: string, { values, types }: Allowed, root: unknown): Coerced {
  const found = values.find((value) => (typeof value === 'string' ? value : JSON.stringify(value)) === text);
  if (found !== undefined) return { value: found as JsonValue };
  if (types.size > 0) return coerce(text, { type: [...types] }, root);
  const names = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const list = names.slice(0, 20).join(', ') + (names.length > 20 ? ', ...' : '');
  const meant = didYouMean(text, names);
  return { problem: `must be one of ${list}${meant === undefined ? '' : `. ${meant}`}` };
}

// Without a type, text that is JSON is meant as such.
function looseValue(text: string): JsonValue {
  const isJson = text === 'true' || text === 'false' || text === 'null' || jsonNumber.test(text);
  if (!isJson && !/^\s*[[{]/.test(text)) return text;
  const value = jsonIn(text, text);
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value);
  return isInexact ? text : (value as JsonValue);
}

const typeTitles: ReadonlyMap<string, string> = new Map([
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list: a,b,c or JSON'],
  ['object', 'an object: JSON, or one word for each member, such as name.member=value'],
  ['string', 'text'],
]);
