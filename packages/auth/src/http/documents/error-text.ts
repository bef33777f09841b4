import { isObject } from '@tenon/mcp-protocol/internal';

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
