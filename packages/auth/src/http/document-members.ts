import type { UnknownObject } from '@tenon/mcp-protocol';

/** A member that is a text which is not empty; undefined for anything else. */
export function textOf(document: UnknownObject, name: string): string | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts in a member that is a list, each once; undefined where it is none. */
export function textsOf(document: UnknownObject, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  if (!Array.isArray(value)) return undefined;
  const isText = (item: unknown): item is string => typeof item === 'string' && item !== '';
  return [...new Set(value.filter(isText))];
}

/** True for a member that is true, and nothing like it. */
export function isTrue(document: UnknownObject, name: string): boolean {
  return Object.hasOwn(document, name) && document[name] === true;
}
