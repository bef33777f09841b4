import { readFile } from 'node:fs/promises';
import { isObject } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '@tenon/mcp-workbench';

/** A JSON object with members of unknown types. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Reads a file with a JSON object. @throws WorkbenchError `usage` if it cannot be read, or has another content. */
export async function readJsonObject(path: string): Promise<JsonMembers> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw failed(`${path} cannot be read`, error);
  }
  return parseJsonObject(text, path);
}

/** Reads a text as a JSON object. @param what - names the text in errors. @throws WorkbenchError `usage` for another content. */
export function parseJsonObject(text: string, what: string): JsonMembers {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw failed(`${what} is not JSON`, error);
  }
  if (isObject(value)) return value;
  throw new WorkbenchError('usage', `${what} is no JSON object.`);
}

function failed(what: string, cause: unknown): WorkbenchError {
  return new WorkbenchError('usage', `${what}: ${(cause as Error).message}`, { cause });
}
