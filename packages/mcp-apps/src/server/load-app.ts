import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppOptions, SourceOptions } from './app-options.js';
import type { Loaded } from './build-entry.js';

/** Bytes of one character in UTF-8, at most. */
const widest = 4;

/** Reads the file of an app, or builds its entry. */
export async function loadApp({ file, entry }: AppOptions, settings: SourceOptions): Promise<Loaded> {
  if (entry !== undefined) {
    const { buildEntry } = await import('./build-entry.js');
    return buildEntry(pathOf(entry), settings.vite);
  }
  const path = pathOf(file ?? '');
  const { size } = await stat(path);
  if (size > settings.htmlSize * widest)
    throw new TypeError(
      `${path} has ${size} bytes, more than ${settings.htmlSize} characters: raise htmlSize of apps().`,
    );
  return { html: await readFile(path, 'utf8'), files: [path] };
}

export function pathOf(path: string | URL): string {
  return path instanceof URL ? fileURLToPath(path) : resolve(path);
}
