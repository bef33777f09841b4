import { withoutControls } from '@tenon/foundation';
import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** Returns a member if it is a string that is not empty. */
export function textOf(document: UnknownObject, name: string): string | undefined {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a member if it is a string of visible ASCII and spaces, with at most this many characters. */
export function asciiTextOf(document: UnknownObject, name: string, longest: number): string | undefined {
  const text = textOf(document, name);
  return text !== undefined && text.length <= longest && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}

/** Returns a text that can be the code of an OAuth error; otherwise undefined. */
export function oauthCode(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w.:/-]{1,64}$/.test(text) ? text : undefined;
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

const mostRead = 4_096;
const mostShown = 200;

/**
 * Returns a text of a peer as one short line for messages, without secrets and control characters; undefined if nothing is
 * left.
 */
export function displayText(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = withoutControls(text.slice(0, mostRead)).replace(/\s+/g, ' ').trim();
  const shown = redactThoroughly(line).slice(0, mostShown);
  return shown === '' ? undefined : shown;
}

/** Members with a text for people in the error responses of servers, the most precise first. */
const members = ['error_description', 'message', 'msg', 'detail', 'error', 'errors', 'title'] as const;

const deepest = 4;

/**
 * Returns the text of an error response, exactly as the server wrote it; undefined if there is none. Few servers send errors as
 * OAuth defines them.
 * @param text - the body as it was sent; it is the text of the error if it is neither JSON nor a page.
 */
export function errorText(body: unknown, text = ''): string | undefined {
  if (body === undefined) return /^\s*(?:<|$)/.test(text) ? undefined : text;
  return textIn(body, deepest);
}

function textIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return textIn(value[0], depth - 1);
  if (!isObject(value)) return undefined;
  for (const name of members) {
    const text = textIn(value[name], depth - 1);
    if (text !== undefined && text.trim() !== '') return text;
  }
  return undefined;
}
