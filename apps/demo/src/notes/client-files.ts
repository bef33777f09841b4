import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '@tenon/mcp-server';

/** The text of a file, if it lies inside one of the places given. @throws ToolError when it does not. */
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
  // The same words for both cases: whether a file exists elsewhere is nobody's business.
  throw new ToolError(`${uri} is no file inside the places this client has opened.`);
}

/** Links are followed before anything is compared. */
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
