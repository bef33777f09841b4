import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WorkbenchError } from '@tenon/mcp-workbench';
import type { Terminal } from '../terminal/terminal.js';

/** Reads a file that the user names, relative to the working folder. @throws WorkbenchError `usage` if it cannot be read. */
export async function readText(file: string, { source }: Terminal): Promise<string> {
  return readFile(resolve(source.cwd, file), 'utf8').catch((error: Error) => {
    throw new WorkbenchError('usage', `The file ${file} cannot be read: ${error.message}`, { cause: error });
  });
}

/** Returns the value of a JSON text. @param what - names the text in errors. @throws WorkbenchError `usage` if it is not JSON. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(what, error as Error);
  }
}

function notJson(what: string, error: Error): WorkbenchError {
  return new WorkbenchError('usage', `${what} is not JSON: ${error.message}`, { cause: error });
}
