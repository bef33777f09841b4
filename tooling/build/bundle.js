import { join } from 'node:path';
import { build, formatMessages } from 'esbuild';
import { entryPoints, groupsOf } from './entries.js';
import { gather } from './gather.js';
import { internalImports } from './internal-imports.js';

/**
 * Bundles a package: one ESM file per entry of `exports`, shared code in chunk files, dependencies as imports.
 *
 * @param {string} folder the package's folder
 * @param {import('./entries.js').Manifest} manifest its package.json
 * @param {readonly string[]} named entries that gather code, see `groupsOf`
 * @returns {Promise<{ path: string, text: string }[]>} the files for the folder `dist`, by absolute path
 * @throws Error for errors and warnings of the bundler
 */
export async function bundle(folder, manifest, named) {
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    absWorkingDir: folder,
    outdir: join(folder, 'dist'),
    bundle: true,
    packages: 'external',
    // Node or a bundler chooses among these by conditions.
    external: ['#*'],
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    sourcesContent: false,
    keepNames: false,
    // With one character beyond Latin-1, an engine stores and scans the whole file with two bytes per character.
    charset: 'ascii',
    legalComments: 'none',
    // Errors are thrown.
    logLevel: 'silent',
  };
  const first = await build({
    ...options,
    entryPoints: await entryPoints(folder, manifest),
    outbase: join(folder, 'src'),
    chunkNames: 'chunk-[hash]',
    splitting: true,
    sourcemap: 'inline',
    plugins: [internalImports(folder, manifest)],
    metafile: true,
    write: false,
  });
  if (first.warnings.length > 0)
    throw new Error((await formatMessages(first.warnings, { kind: 'warning' })).join('\n'));
  return gather(first, { options, groups: groupsOf(folder, manifest, named) });
}
