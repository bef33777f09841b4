import type { SchemaObject } from '@tenon/mcp-client';

/** The schema of an object without other members than the named ones. */
export function closed(
  properties: Readonly<Record<string, SchemaObject>>,
  required: readonly string[] = [],
): SchemaObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The schema of a list. */
export function listOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

/** The schema of an object with any names as members. */
export function mapOf(values: SchemaObject): SchemaObject {
  return { type: 'object', additionalProperties: values };
}

/** The schema of one of some texts. */
export function oneOf(...values: readonly string[]): SchemaObject {
  return { type: 'string', enum: values };
}

export const text: SchemaObject = { type: 'string' };
export const flag: SchemaObject = { type: 'boolean' };
export const url: SchemaObject = { type: 'string', format: 'uri' };

/** A text of 1 to so many characters. */
export function short(maxLength: number): SchemaObject {
  return { type: 'string', minLength: 1, maxLength };
}
