import { writeFile } from 'node:fs/promises';
import { WorkbenchError } from '@tenon/mcp-workbench';

/** Options of {@link writeNewFile}. */
export interface NewFileOptions {
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
