import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Returns the path of a closed file of a log. The open file is always at the path of the log. */
export function partPath(path: string, part: number): string {
  return `${path}.${part}`;
}

/** Returns the numbers of the closed files of a log, the oldest first. */
export async function closedParts(path: string): Promise<readonly number[]> {
  const start = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => name.startsWith(start) && /^[1-9]\d{0,14}$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((a, b) => a - b);
}

const chunk = 65_536;

/** Returns the SHA-256 of a whole file. */
export async function sha256OfFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(chunk);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, chunk, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
