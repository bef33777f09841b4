import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Symbolic links and named pipes must not be followed or waited for. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the digest of bytes. */
export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * Reads a file of at most so many bytes.
 * @param path - absolute, without symbolic links.
 * @throws TypeError if it is not a regular file in its real folder; RangeError if it has more bytes; system errors.
 */
export function readFileUpTo(path: string, limit: number): Uint8Array {
  requireReal(path, realpathSync(dirname(path)));
  const descriptor = openSync(path, flags);
  try {
    const { size } = fstatSync(descriptor);
    requireFile(path, fstatSync(descriptor).isFile());
    if (size > limit) throw tooLarge(path, limit);
    // One byte more than it had: a file that grows meanwhile is found.
    const bytes = new Uint8Array(size + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (length > limit) throw tooLarge(path, limit);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a file that had `size` bytes.
 * @param path - absolute, without symbolic links.
 * @returns its bytes, at most one more than `size`; undefined if there is no regular file any more.
 */
export async function readFileOf(path: string, size: number): Promise<Uint8Array | undefined> {
  try {
    requireReal(path, await realpath(dirname(path)));
    const handle = await open(path, flags);
    try {
      requireFile(path, (await handle.stat()).isFile());
      const bytes = new Uint8Array(size + 1);
      let length = 0;
      for (let read = 1; read > 0 && length < bytes.length; length += read)
        read = (await handle.read(bytes, length, bytes.length - length, null)).bytesRead;
      return bytes.subarray(0, length);
    } finally {
      await handle.close();
    }
  } catch {
    // Gone, replaced or unreadable: reading the skill again finds out.
    return undefined;
  }
}

function requireReal(path: string, real: string): void {
  if (real !== dirname(path)) throw new TypeError(`${path} is reached over a symbolic link.`);
}

function requireFile(path: string, isFile: boolean): void {
  if (!isFile) throw new TypeError(`${path} is not a regular file.`);
}

function tooLarge(path: string, limit: number): RangeError {
  return new RangeError(`${path} has more than the ${limit} bytes that are left for its skill.`);
}
