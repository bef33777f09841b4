import { isObject, type RequestId } from '@tenon/mcp-protocol';

// The order in which nearly everybody writes the members of a response, and the other one with the id ahead of the result.
const beginning =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]*")|"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*,\s*"jsonrpc"\s*:\s*"2\.0")\s*,\s*"(?:result|error)"\s*:/;

/** The id of the request that a response answers, as far as its beginning tells; undefined for all other text. */
export function answeredIdIn(text: string): RequestId | undefined {
  const [, id, ahead] = beginning.exec(text) ?? [];
  const found = id ?? ahead;
  return found?.startsWith('"') ? found.slice(1, -1) : found && Number(found);
}

/** The id of the request that a message answers; undefined for what is no response. */
export function answeredIdOf(value: unknown): RequestId | undefined {
  if (!isObject(value) || !('result' in value || 'error' in value)) return undefined;
  const { id } = value;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}
