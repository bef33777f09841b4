import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '@tenon/mcp-server';

/** Returns the text of a file inside one of the roots. @throws ToolError if the file is outside. */
export async function readInsideRoots(
  uri: string,
  roots: readonly { readonly uri: string }[],
): Promise<string> {
  const file = await realPath(uri);
  if (file !== undefined) {
    for (const root of roots) {
      const folder = await realPath(root.uri);
      if (folder !== undefined && isInside(folder, file)) return readFile(file, 'utf8');
    }
  }
  // One message for both cases, so that clients cannot probe for files outside their roots.
  throw new ToolError(`${uri} is not a file inside the roots of this client.`);
}

/** Links are resolved before paths are compared. */
async function realPath(uri: string): Promise<string | undefined> {
  try {
    return await realpath(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}

function isInside(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
