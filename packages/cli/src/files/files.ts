import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isObject } from '@tenon/mcp-protocol/internal';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type ContentFile, extensionOf, sizeText } from '@tenon/mcp-workbench/calls';
import type { Terminal } from '../terminal/terminal.js';

/** Reads a file that the user names, relative to the working folder. @throws WorkbenchError `usage` if it cannot be read. */
export async function readText(file: string, terminal: Terminal): Promise<string> {
  return (await readBytes(file, terminal)).toString();
}

/** Reads the bytes of such a file. @throws WorkbenchError `usage` if it cannot be read. */
export function readBytes(file: string, { source }: Terminal): Promise<Buffer> {
  return readFile(resolve(source.cwd, file)).catch((error: Error) => {
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

/** Options of {@link writeNewFile}. */
interface NewFileOptions {
  /** Replaces the file if it exists. */
  readonly force?: boolean | undefined;
  /** The hint if the file exists. Default: none. */
  readonly hint?: string;
}

/** Writes a file that must not exist yet. @throws WorkbenchError `usage` if it exists or cannot be written. */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  { force = false, hint }: NewFileOptions = {},
): Promise<void> {
  await writeFile(file, content, { flag: force ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    const isThere = error.code === 'EEXIST';
    const problem = isThere ? 'exists already' : `cannot be written: ${error.message}`;
    throw new WorkbenchError('usage', `The file ${file} ${problem}.`, {
      ...(isThere && hint !== undefined && { hint }),
      cause: error,
    });
  });
}

/** Writes the file of `--output`, and says so. @throws WorkbenchError `usage` if it exists or cannot be written. */
export async function writeOutput(
  output: string,
  bytes: Uint8Array,
  { force, terminal }: { readonly force: boolean | undefined; readonly terminal: Terminal },
): Promise<void> {
  const path = resolve(terminal.source.cwd, output);
  await writeNewFile(path, bytes, { force, hint: 'Replace it with --force.' });
  terminal.note(`Wrote ${sizeText(bytes.length)} to ${output}`);
}

const mostNumbers = 1_000;

/** Saves bytes in a folder under a name that is free, such as `chart-1.png`. Returns the path. @throws WorkbenchError `usage` */
export async function saveInFolder(
  folder: string,
  { name, file }: { name: string; file: ContentFile },
): Promise<string> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new WorkbenchError('usage', `The folder ${folder} cannot be made: ${error.message}`, {
      cause: error,
    });
  });
  const safe = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80) || 'content';
  for (let number = 1; number <= mostNumbers; number += 1) {
    const path = join(folder, `${safe}-${number}.${extensionOf(file.mimeType)}`);
    const isWritten = await writeNewFile(path, file.bytes).then(
      () => true,
      (error: WorkbenchError) => {
        if ((error.cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isWritten) return path;
  }
  throw new WorkbenchError('usage', `The folder ${folder} has ${mostNumbers} files named ${safe} already.`);
}

/** A JSON object with members of unknown types. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Reads a text as a JSON object. @param what - names the text in errors. @throws WorkbenchError `usage` for another content. */
export function parseJsonObject(text: string, what: string): JsonMembers {
  const value = parseJson(text, what);
  if (isObject(value)) return value;
  throw new WorkbenchError('usage', `${what} is not a JSON object.`);
}
