import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from './config-error.js';

/** Bytes of a configuration file, at most. The file of Claude Code also has the history of its user. */
const maxFileBytes = 4_194_304;

/**
 * Reads a configuration file; undefined if there is none.
 * @throws ConfigError if it cannot be read, is too large, or is not UTF-8.
 */
export async function readConfigFile(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw problem(path, 'is not a file');
    if (stats.size > maxFileBytes) throw problem(path, `has more than ${maxFileBytes} bytes`);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw problem(path, 'is not UTF-8');
    throw problem(path, `cannot be read (${code ?? String(error)})`, error);
  }
}

/**
 * Replaces a file as a whole: after a failure it is unchanged. A symbolic link stays one, and the file keeps its mode.
 * @param mode - of a new file.
 * @throws ConfigError if the file cannot be written.
 */
export async function writeConfigFile(path: string, text: string, mode: number): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const target = await realpath(path).catch(() => path);
    const kept = await stat(target).then(
      (stats) => stats.mode & 0o7777,
      () => mode,
    );
    const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    const file = await open(temporary, 'wx', kept);
    try {
      await file.writeFile(text);
      await file.sync();
      await file.close();
      // The umask may have removed bits.
      await chmod(temporary, kept);
      await rename(temporary, target);
    } catch (error) {
      await file.close().catch(() => {});
      await unlink(temporary).catch(() => {});
      throw error;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw problem(path, `cannot be written (${code ?? String(error)})`, error);
  }
}

function problem(path: string, what: string, cause?: unknown): ConfigError {
  return new ConfigError(`${path} ${what}.`, { cause });
}
