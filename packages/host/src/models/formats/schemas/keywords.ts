import { isObject, isSmall } from '@tenon/json-schema/structure';
import { isVisible, shortened, visibleText } from '../text/visible-text.js';
import type { Rewriting, Schema } from './rewriting.js';

type Kind =
  | 'text'
  | 'type'
  | 'data'
  | 'values'
  | 'word'
  | 'number'
  | 'count'
  | 'flag'
  | 'names'
  | 'groups'
  | 'schema'
  | 'list'
  | 'map';

/** The keywords that are copied, in the order in which they are written, and the kind of their values. */
const kinds = new Map<string, Kind>([
  ['type', 'type'],
  ['title', 'text'],
  ['description', 'text'],
  ['enum', 'values'],
  ['const', 'data'],
  ['default', 'data'],
  ['examples', 'data'],
  ['format', 'word'],
  ['pattern', 'word'],
  ['contentEncoding', 'word'],
  ['contentMediaType', 'word'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minimum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
  ['properties', 'map'],
  ['required', 'names'],
  ['additionalProperties', 'schema'],
  ['patternProperties', 'map'],
  ['propertyNames', 'schema'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['dependentRequired', 'groups'],
  ['dependentSchemas', 'map'],
  ['unevaluatedProperties', 'schema'],
  ['prefixItems', 'list'],
  ['items', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['contains', 'schema'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['uniqueItems', 'flag'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['allOf', 'list'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
]);

export const keywordOrder: readonly string[] = [...kinds.keys()];

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);
/** Keywords with schemas about the same value as the schema around them. */
const combining: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf']);
const types: ReadonlySet<unknown> = new Set([
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
]);

/** True for a keyword that allows every value. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword);
}

/** The longest title or description of a part of a schema, in UTF-16 code units. */
const longestText = 4_000;
const longestWord = 1_000;
const mostValues = 1_000;

/** The schema around a keyword, for {@link copiedKeyword}. */
export interface Copying {
  readonly path: string;
  readonly rewriting: Rewriting;
  /** Returns the name of a member of objects for the model. */
  nameOf(name: string): string;
  /** Copies a schema. `isCombined` is true if it is about the same value as the schema around it. */
  copy(inner: unknown, keys: readonly string[], isCombined: boolean): Schema;
}

/** Returns the copy of the value of a keyword; undefined, and a loss, if the value is malformed or unsuitable for a model. */
export function copiedKeyword(keyword: string, value: unknown, copying: Copying): unknown {
  const kind = kinds.get(keyword);
  const copied = kind === undefined ? undefined : copiers[kind](keyword, value, copying);
  if (copied === undefined)
    copying.rewriting.lose(
      copying.path,
      keyword,
      `The value of \`${keyword}\` is malformed, too large, or has hidden characters. The model does not see it.`,
    );
  return copied;
}

const copiers: {
  readonly [Name in Kind]: (keyword: string, value: unknown, copying: Copying) => unknown;
} = {
  text: (_, value) => (typeof value === 'string' ? shortened(visibleText(value), longestText) : undefined),
  type: (_, value) => {
    if (typeof value === 'string') return types.has(value) ? value : undefined;
    const known = Array.isArray(value) ? [...new Set(value)].filter((one) => types.has(one)) : [];
    return known.length > 1 ? known : known[0];
  },
  data: (_, value) => (isCleanData(value) ? value : undefined),
  values: (keyword, value, { path, rewriting }) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > mostValues) return undefined;
    const clean = value.filter(isCleanData);
    if (clean.length === 0) return undefined;
    if (clean.length < value.length)
      rewriting.lose(path, keyword, 'Values with hidden characters, or too large, are left out.');
    return clean;
  },
  word: (_, value) =>
    typeof value === 'string' && value.length <= longestWord && isVisible(value) ? value : undefined,
  number: (_, value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  count: (_, value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined),
  flag: (_, value) => (typeof value === 'boolean' ? value : undefined),
  names: (_, value, { nameOf }) => namesIn(value)?.map(nameOf),
  groups: (_, value, { nameOf }) => {
    if (!isObject(value) || !isSmall(value)) return undefined;
    const groups = Object.entries(value).map(([name, names]) => [nameOf(name), namesIn(names)?.map(nameOf)]);
    return groups.some(([, names]) => names === undefined) ? undefined : Object.fromEntries(groups);
  },
  schema: (keyword, value, { copy }) => {
    // These stay as they are: formats ask for the word.
    if (keyword === 'additionalProperties' && typeof value === 'boolean') return value;
    return isObject(value) || typeof value === 'boolean' ? copy(value, [keyword], false) : undefined;
  },
  list: (keyword, value, { copy }) =>
    Array.isArray(value) && value.length > 0
      ? value.map((one: unknown, index) => copy(one, [keyword, String(index)], combining.has(keyword)))
      : undefined,
  map: (keyword, value, { copy, nameOf }) => {
    if (!isObject(value)) return undefined;
    const isByPattern = keyword === 'patternProperties';
    const all = Object.entries(value).filter(([name]) => !isByPattern || isVisible(name));
    return Object.fromEntries(
      all.map(([name, one]) => [isByPattern ? name : nameOf(name), copy(one, [keyword, name], false)]),
    );
  },
};

function namesIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? [...new Set(value.filter((one) => typeof one === 'string'))] : undefined;
}

const smallData = { parts: 1_000, charactersPerPart: 16 };

/** True for data that may be in the definition of a tool: small, and without hidden characters or halves of characters. */
function isCleanData(value: unknown): boolean {
  if (!isSmall(value, smallData)) return false;
  const text = JSON.stringify(value);
  return text !== undefined && isVisible(text) && !/\\u(?:00[01]|d[89a-f])/.test(text);
}
