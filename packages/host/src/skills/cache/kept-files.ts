import { readdir, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The bounds of a cache on disk. */
export interface CacheBounds {
  readonly bytes: number;
  readonly files: number;
}

/** Files that are written before the folder is looked through again: other processes may write too. */
const writesBetween = 100;
/** Folders inside folders. */
const deepest = 16;

/** The files of a cache on disk, those used longest ago first. */
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
    this.#last = turn.catch(() => undefined);
    await turn;
  }

  /** Deletes a folder and all files in it. */
  async remove(folder: string): Promise<void> {
    const turn = this.#last.then(async () => {
      await rm(folder, { recursive: true, force: true });
      for (const path of this.#sizes.keys()) if (path.startsWith(folder + sep)) this.#sizes.delete(path);
    });
    this.#last = turn.catch(() => undefined);
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
    const visit = async (folder: string, depth: number): Promise<void> => {
      for (const one of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        const path = join(folder, one.name);
        if (one.isDirectory() && depth < deepest) await visit(path, depth + 1);
        if (!one.isFile()) continue;
        const stats = await stat(path).catch(() => undefined);
        if (stats !== undefined) found.push({ path, size: stats.size, time: stats.mtimeMs });
      }
    };
    await visit(this.#root, 0);
    const known = new Map(this.#sizes);
    this.#sizes.clear();
    found.sort((a, b) => a.time - b.time);
    for (const { path, size } of found) this.#sizes.set(path, size);
    // The order of use of this process is newer than the times of the files.
    for (const path of known.keys()) this.used(path);
  }
}
