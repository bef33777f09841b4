// Bundles the page like its authors would: no plugin, no flag, nothing external.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import * as vite from 'vite';

const page = fileURLToPath(new URL('page/', import.meta.url));

/** @typedef {(folder: string) => Promise<string[]>} Bundler writes a page to a folder, and returns its warnings */

/** Writes one file, like `esbuild main.js --bundle --minify`. @type {Bundler} */
async function withEsbuild(folder) {
  const options = /** @type {const} */ ({ bundle: true, minify: true, logLevel: 'silent', outdir: folder });
  const { warnings } = await esbuild.build({ ...options, entryPoints: [join(page, 'main.js')] });
  const html = await readFile(join(page, 'index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), html);
  return warnings.map(({ text }) => text);
}

/** Writes files that the page loads when it needs them, like `vite build`. @type {Bundler} */
async function withVite(folder) {
  /** @type {string[]} */
  const warnings = [];
  const warn = (/** @type {string} */ text) => void warnings.push(text);
  const quiet = { info() {}, clearScreen() {}, hasErrorLogged: () => false, hasWarned: false };
  await vite.build({
    root: page,
    configFile: false,
    customLogger: { ...quiet, warn, warnOnce: warn, error: warn },
    build: { outDir: folder, emptyOutDir: false },
  });
  return warnings;
}

/** @type {ReadonlyMap<string, Bundler>} */
export const bundlers = new Map([
  ['esbuild', withEsbuild],
  ['Vite', withVite],
]);

/**
 * Bundles a program to a single file, like `esbuild --bundle --minify --platform=node`.
 *
 * @param {string} source the program; its imports are resolved from this folder
 * @param {{ format?: 'esm' | 'cjs', platform?: 'node' | 'browser' }} [options]
 * @returns {Promise<{ code: string, warnings: string[], packages: Set<string> }>} `packages`: the bundled packages
 */
export async function bundleProgram(source, { format = 'esm', platform = 'node' } = {}) {
  const { outputFiles, warnings, metafile } = await esbuild.build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    platform,
    format,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const inside = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const names = inside.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  const [file] = outputFiles;
  return {
    code: file?.text ?? '',
    warnings: warnings.map(({ text }) => text),
    packages: new Set(names),
  };
}

/**
 * @param {string} folder
 * @returns {Promise<Map<string, string>>} texts of the scripts in the folder, by file name
 */
export async function scriptsIn(folder) {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  return new Map(
    await Promise.all(
      names.map(
        async (name) => /** @type {[string, string]} */ ([name, await readFile(join(folder, name), 'utf8')]),
      ),
    ),
  );
}

/**
 * @param {Iterable<string>} texts
 * @returns {number} total size in KiB, each text gzipped
 */
export function gzippedKiB(texts) {
  let bytes = 0;
  for (const text of texts) bytes += gzipSync(text, { level: 9 }).length;
  return bytes / 1_024;
}
