import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const execute = promisify(execFile);

/**
 * @param {string} folder
 * @returns {Promise<Map<string, number>>} the size of each file after `gzip -9`, by absolute path
 */
export async function gzippedSizes(folder) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    sizes.set(file, gzipSync(await readFile(file), { level: 9 }).length);
  }
  return sizes;
}

/**
 * Runs one of our programs in a process, and returns the files that V8 reports as loaded.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<Set<string>>} absolute paths
 */
export async function loadedFiles(program, args) {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-coverage-'));
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  try {
    const path = fileURLToPath(new URL(`programs/${program}`, import.meta.url));
    await execute(process.execPath, [path, ...args], { env, timeout: 20_000 });
    /** @type {Set<string>} */
    const files = new Set();
    for (const name of await readdir(folder)) {
      /** @type {{ result: { url: string }[] }} */
      const { result } = JSON.parse(await readFile(join(folder, name), 'utf8'));
      for (const { url } of result) if (url.startsWith('file:')) files.add(fileURLToPath(url));
    }
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
