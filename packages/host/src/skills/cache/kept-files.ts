import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isCacheFile, isCacheFolder } from './cache-layout.js';

/** The bounds of a cache on disk. */
export interface CacheBounds {
  readonly bytes: number;
  readonly files: number;
}

/** Files that are written before the folder is looked through again: other processes may write too. */
const writesBetween = 100;

/** The files of a cache on disk, those used longest ago first. Files and folders with other names than those of a cache are never touched. */
export class KeptFiles {
  readonly #root: string;
  readonly #bounds: CacheBounds;
  readonly #sizes = new Map<string, number>();
  #writes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(root: string, bounds: CacheBounds) {
    this.#root = root;
    this.#bounds = bounds;
  }

  /** Makes a file one of those used last. */
  used(path: string): void {
    const size = this.#sizes.get(path);
    if (size === undefined) return;
    this.#sizes.delete(path);
    this.#sizes.set(path, size);
  }

  /** Adds a file that was written, and deletes others until the bounds are kept. */
  async written(path: string, size: number): Promise<void> {
    const turn = this.#last.then(async () => {
      if (this.#writes++ % writesBetween === 0) await this.#look();
      this.#sizes.delete(path);
      this.#sizes.set(path, size);
      await this.#fit();
    });
    this.#last = turn.catch(ignore);
    await turn;
  }

  /** Deletes the files of a cache in a folder, and the folders that are empty then. */
  async remove(folder: string): Promise<void> {
    const turn = this.#last.then(async () => {
      for await (const { path, isFolder } of entriesOf(this.#root, folder)) {
        if (isFolder) await rmdir(path).catch(ignore);
        else await rm(path, { force: true });
      }
      await rmdir(folder).catch(ignore);
      for (const path of this.#sizes.keys()) if (path.startsWith(folder + sep)) this.#sizes.delete(path);
    });
    this.#last = turn.catch(ignore);
    await turn;
  }

  async #fit(): Promise<void> {
    const { bytes, files } = this.#bounds;
    let total = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [path, size] of this.#sizes) {
      if (total <= bytes && this.#sizes.size <= files) return;
      await rm(path, { force: true });
      this.#sizes.delete(path);
      total -= size;
    }
  }

  /** Reads the sizes of all files, and their order from the times of their last writing. */
  async #look(): Promise<void> {
    const found: { readonly path: string; readonly size: number; readonly time: number }[] = [];
    for await (const { path, isFolder } of entriesOf(this.#root, this.#root)) {
      if (isFolder) continue;
      const stats = await stat(path).catch(ignore);
      if (stats !== undefined) found.push({ path, size: stats.size, time: stats.mtimeMs });
    }
    const known = new Map(this.#sizes);
    this.#sizes.clear();
    found.sort((a, b) => a.time - b.time);
    for (const { path, size } of found) this.#sizes.set(path, size);
    // The order of use of this process is newer than the times of the files.
    for (const path of known.keys()) this.used(path);
  }
}

/** Yields the files and folders of a cache below a folder, each folder after its content. */
async function* entriesOf(
  root: string,
  folder: string,
): AsyncGenerator<{ readonly path: string; readonly isFolder: boolean }> {
  for (const one of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, one.name);
    const place = relative(root, path).replaceAll(sep, '/');
    if (one.isDirectory() && isCacheFolder(place)) {
      yield* entriesOf(root, path);
      yield { path, isFolder: true };
    } else if (one.isFile() && isCacheFile(place)) yield { path, isFolder: false };
  }
}

function ignore(): undefined {}
