import { isObject } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { parseJson } from '../files/read-file.js';

/** A JSON object with members of unknown types. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Reads a text as a JSON object. @param what - names the text in errors. @throws WorkbenchError `usage` for another content. */
export function parseJsonObject(text: string, what: string): JsonMembers {
  const value = parseJson(text, what);
  if (isObject(value)) return value;
  throw new WorkbenchError('usage', `${what} is no JSON object.`);
}
