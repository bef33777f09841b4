import { isRecord } from '@tenon/foundation';
import { patternCost } from '@tenon/json-schema';

/** Returns the value of a keyword as it is written to a tool; undefined to leave the keyword out. */
type Keyword = (value: unknown) => unknown;

const typeNames: ReadonlySet<unknown> = new Set([
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'],
]);

const number: Keyword = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const count: Keyword = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined);
const flag: Keyword = (value) => (typeof value === 'boolean' ? value : undefined);
const text: Keyword = (value) =>
  typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value) ? value : undefined;
const names: Keyword = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...new Set(value)] : undefined;

/** True for a pattern that a tool may have. Others are not of ECMAScript, or take forever on some texts: the API checks them. */
export function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    patternCost(value);
    return true;
  } catch {
    return false;
  }
}

function type(value: unknown): unknown {
  if (!Array.isArray(value)) return typeNames.has(value) ? value : undefined;
  const known = [...new Set(value)].filter((one) => typeNames.has(one));
  return known.length === 0 ? undefined : known;
}

/** Annotations that are worth their tokens. */
export const annotations: ReadonlyMap<string, Keyword> = new Map([
  ['format', text],
  ['contentEncoding', text],
  ['contentMediaType', text],
]);

/** The structure of values. */
export const structure: ReadonlyMap<string, Keyword> = new Map([
  ['type', type],
  ['required', names],
]);

/** Limits of values, without those that hold schemas. */
export const limits: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['multipleOf', (value) => (typeof value === 'number' && value > 0 ? value : undefined)],
  ['maximum', number],
  ['exclusiveMaximum', number],
  ['minimum', number],
  ['exclusiveMinimum', number],
  ['maxLength', count],
  ['minLength', count],
  ['maxItems', count],
  ['minItems', count],
  ['uniqueItems', flag],
  ['maxContains', count],
  ['minContains', count],
  ['maxProperties', count],
  ['minProperties', count],
  ['pattern', (value) => (isPattern(value) ? value : undefined)],
  [
    'dependentRequired',
    (value) => (isRecord(value) && Object.values(value).every(names) ? value : undefined),
  ],
]);

/** Returns the value of a keyword if JSON writes it with few characters. */
export function short(value: unknown, most: number): unknown {
  return isSmallValue(value, 4) && JSON.stringify(value).length <= most ? value : undefined;
}

function isSmallValue(value: unknown, depth: number): boolean {
  if (typeof value === 'bigint' || value === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  const inner = Object.values(value);
  return depth > 0 && inner.length <= 20 && inner.every((one) => isSmallValue(one, depth - 1));
}
