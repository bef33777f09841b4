import type { UnknownObject } from '@tenon/mcp-protocol';
import { printableJson } from '../texts/printable.js';
import { oneLine } from './type-text.js';

/** Returns the facts of a schema that TypeScript has no types for, as short texts: `integer`, `date-time`, `1 to 100`, `default 10`. */
export function factsOf(schema: UnknownObject): string[] {
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
