import type { UnknownObject } from '@tenon/mcp-protocol';

/** Returns a member if it is a string that is not empty. */
export function textOf(document: UnknownObject, name: string): string | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the strings of a member that is an array, without duplicates; undefined if the member is not an array. */
export function textsOf(document: UnknownObject, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  if (!Array.isArray(value)) return undefined;
  const isText = (item: unknown): item is string => typeof item === 'string' && item !== '';
  return [...new Set(value.filter(isText))];
}

/** True only if the member is `true`. */
export function isTrue(document: UnknownObject, name: string): boolean {
  return Object.hasOwn(document, name) && document[name] === true;
}

/** Returns undefined if the text is not JSON: the parser's error would quote the text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
