import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Cancel, Clock } from '@tenon/foundation';

/** Folders that are watched for one app. */
const mostFolders = 256;

/** Milliseconds from a change until files are read: editors write a file in steps. */
const delay = 50;

/** The files to watch. */
export interface Watched {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly clock: Clock;
  failed(error: unknown): void;
}

/** Calls `changed` once after each group of changes. Folders are watched, because editors replace files. */
export function watchFiles({ files, clock, failed }: Watched, changed: () => void): () => void {
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
