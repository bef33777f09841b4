import { type FSWatcher, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cancel } from '@tenon/foundation';
import type { InlineConfig, Rollup } from 'vite';
import { longestHtml } from '../model/app-metadata.js';
import type { AppOptions, SourceListener, SourceOptions } from './app-options.js';

/** A document, and the files that it was made of. */
export interface Loaded {
  readonly html: string;
  /** Absolute paths, without those of installed packages. */
  readonly files: readonly string[];
}

/** Bytes of an image or font below which it is put into the document: all of them. */
const inlined = 100_000_000;

/**
 * Builds a module or a page, and everything that it imports, to one HTML document.
 * @throws TypeError if Vite is not installed; the error of Vite if the build fails.
 */
async function buildEntry(path: string, options: object): Promise<Loaded> {
  const { build, mergeConfig, ...exported } = await vite();
  const oneFile = 'rolldownVersion' in exported ? { codeSplitting: false } : { inlineDynamicImports: true };
  const files: string[] = [];
  const root = dirname(path);
  const own: InlineConfig = {
    root,
    base: './',
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    plugins: [
      {
        name: 'tenon:files',
        buildEnd() {
          // Vite 8 has no list of the files that plugins add, such as styles that styles import.
          files.push(...(this.getWatchFiles?.() ?? []), ...this.getModuleIds());
        },
      },
    ],
    build: {
      write: false,
      assetsInlineLimit: inlined,
      cssCodeSplit: false,
      modulePreload: false,
      copyPublicDir: false,
      rollupOptions: { input: path, output: oneFile },
    },
  };
  const built = await build(mergeConfig(own, options));
  const html = documentOf((Array.isArray(built) ? built : [built]) as Rollup.RollupOutput[], path);
  const watched = [path, ...files]
    .map((file) => file.replace(/\?.*$/, ''))
    .filter((file) => isAbsolute(file) && !file.includes('node_modules'));
  return { html, files: [...new Set(watched)] };
}

/** @throws TypeError if Vite is not installed. */
async function vite(): Promise<typeof import('vite')> {
  try {
    return await import('vite');
  } catch (cause) {
    throw new TypeError(
      'An app with "entry" is built by Vite: install it with "npm install vite", or give "file".',
      {
        cause,
      },
    );
  }
}

function documentOf(outputs: readonly Rollup.RollupOutput[], path: string): string {
  const parts = outputs.flatMap(({ output }) => output);
  const code = parts.map((part) => (part.type === 'chunk' ? part.code : '')).join('\n');
  const styles = parts.map((part) =>
    part.type === 'asset' && part.fileName.endsWith('.css') ? String(part.source) : '',
  );
  const page = parts.find((part) => part.type === 'asset' && part.fileName.endsWith('.html'));
  const left = parts.find((part) => part.type === 'asset' && !/\.(?:css|html)$/.test(part.fileName));
  if (left !== undefined)
    throw new TypeError(`${basename(path)} imports ${left.fileName}, which cannot be put into the document.`);
  const head = `<style>${escaped(styles.join(''), '\\3c ')}</style>`;
  const script = `<script type="module">${escaped(code, '\\x3C')}</script>`;
  if (page?.type === 'asset') return withParts(String(page.source), head, script);
  if (extname(path) === '.html') throw new TypeError(`Vite built no page of ${basename(path)}.`);
  return `<!doctype html><html><head><meta charset="utf-8">${head}</head><body><div id="root"></div>${script}</body></html>`;
}

/** Returns a page with its styles and script in the place of the elements that load them. */
function withParts(page: string, head: string, script: string): string {
  const bare = page
    .replace(/<link rel="stylesheet"[^>]*>/g, '')
    .replace(/<script type="module"[^>]*><\/script>/g, '');
  // Functions, because a text in the place of a match may have patterns such as $&.
  const styled = bare.includes('</head>') ? bare.replace('</head>', () => `${head}</head>`) : head + bare;
  return styled.includes('</body>') ? styled.replace('</body>', () => `${script}</body>`) : styled + script;
}

/** Escapes the texts that would end an element or begin a comment in it; they occur only in strings of code. */
function escaped(text: string, less: string): string {
  return text.replace(/<(?=\/(?:script|style)|!--)/gi, less);
}

/** Bytes of one character in UTF-8, at most. */
const widest = 4;

/** Reads the file of an app, or builds its entry. */
export async function loadApp({ file, entry }: AppOptions, settings: SourceOptions): Promise<Loaded> {
  if (entry !== undefined) return buildEntry(pathOf(entry), settings.vite);
  const path = pathOf(file ?? '');
  const { size } = await stat(path);
  if (size > longestHtml * widest)
    throw new TypeError(
      `${path} has ${size} bytes, more than ${longestHtml} characters: load large parts from csp.resourceDomains.`,
    );
  return { html: await readFile(path, 'utf8'), files: [path] };
}

export function pathOf(path: string | URL): string {
  return path instanceof URL ? fileURLToPath(path) : resolve(path);
}

/** Folders that are watched for one app. */
const mostFolders = 256;

/** Milliseconds from a change until files are read: editors write a file in steps. */
const delay = 50;

/**
 * Calls `changed` once after each group of changes. Folders are watched, because editors replace files.
 * @param files - absolute paths.
 */
export function watchFiles(files: readonly string[], { clock, changed, failed }: SourceListener): () => void {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = dirname(file);
    const names = folders.get(folder) ?? new Set();
    if (folders.size < mostFolders || folders.has(folder)) folders.set(folder, names.add(basename(file)));
  }
  let waiting: Cancel | undefined;
  const noticed = () => {
    waiting ??= clock.schedule(() => {
      waiting = undefined;
      changed();
    }, delay);
  };
  const watchers: FSWatcher[] = [];
  for (const [folder, names] of folders) {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) noticed();
      });
      watchers.push(watcher.on('error', failed));
    } catch (error) {
      failed(error);
    }
  }
  return () => {
    waiting?.();
    for (const watcher of watchers) watcher.close();
  };
}
