export { isObject, type UnknownObject } from '@tenon/json-schema/structure';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * True if `value` has objects or arrays nested in more than `limit` levels. JSON.parse accepts any depth; recursive code
 * does not. `text` is the text that the value was parsed from, if known: it makes the recursion unnecessary for nearly every message.
 */
export function isNestedDeeper(value: unknown, text: string | undefined, limit: number): boolean {
  if (text === undefined) return reachesBelow(value, limit);
  return text.length > 2 * limit && opensMoreThan(text, limit) && reachesBelow(value, limit);
}

// A native search per bracket is slower than a loop only for texts with many brackets, and there it stops at the limit.
function opensMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

function reachesBelow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (reachesBelow(item, levels - 1)) return true;
    return false;
  }
  const members = value as Record<string, unknown>;
  for (const name in members) if (reachesBelow(members[name], levels - 1)) return true;
  return false;
}
