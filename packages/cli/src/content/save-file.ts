import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type ContentFile, extensionOf } from '@tenon/mcp-workbench/calls';
import { writeNewFile } from '../files/new-file.js';

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
