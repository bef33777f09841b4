import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** The watcher of one folder, and the names in it that matter, with the files that each name belongs to. */
interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Differs for a folder that has replaced another at the same path. */
  readonly identity: string;
  names: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Receives what a watcher sees. */
interface FolderEvents {
  /** A file may have changed. */
  onEvent(file: string): void;
  /** The changes of some files are not seen. `reason` is the code of the error, such as `ENOSPC`. */
  onUnwatched(files: Iterable<string>, reason: string): void;
}

/**
 * Watches files by their folders, because a file that is replaced loses a watcher of its own. A folder that does not exist is awaited in the
 * closest one that does. It keeps the process alive until it is closed.
 */
export class FolderWatcher {
  readonly #events: FolderEvents;
  readonly #folders = new Map<string, WatchedFolder>();
  #isClosed = false;

  constructor(events: FolderEvents) {
    this.#events = events;
  }

  /** Watches these files and no others. Resolves when no later change of them is missed. Calls must not overlap. */
  async watch(files: Iterable<string>): Promise<void> {
    // A folder may appear between looking for it and watching the one above.
    for (let round = 0; round < 5; round++) {
      const wanted = await foldersOf(files);
      if (this.#isClosed || !this.#apply(wanted)) return;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  /** Returns true if a folder was added. */
  #apply(wanted: ReadonlyMap<string, WantedFolder>): boolean {
    for (const [path, { watcher, identity }] of this.#folders) {
      if (wanted.get(path)?.identity === identity) continue;
      watcher.close();
      this.#folders.delete(path);
    }
    let isNew = false;
    for (const [path, { identity, names }] of wanted) {
      const known = this.#folders.get(path);
      if (known !== undefined) {
        known.names = names;
        continue;
      }
      const folder = this.#open(path, identity, names);
      if (folder === undefined) continue;
      this.#folders.set(path, folder);
      isNew = true;
    }
    return isNew;
  }

  #open(path: string, identity: string, names: WatchedFolder['names']): WatchedFolder | undefined {
    const all = () =>
      new Set([...(this.#folders.get(path)?.names ?? names).values()].flatMap((set) => [...set]));
    const seen = (name: string | null) => {
      // The name of the folder itself: it was deleted or moved. Without a name, any file may have changed.
      const isAll = name === null || name === basename(path);
      const files = isAll ? all() : (this.#folders.get(path)?.names.get(name) ?? []);
      for (const file of files) this.#events.onEvent(file);
    };
    try {
      const watcher = watch(path, (_, name) => seen(name));
      watcher.on('error', () => {
        watcher.close();
        if (this.#folders.get(path)?.watcher === watcher) this.#folders.delete(path);
        seen(null);
      });
      return { watcher, identity, names };
    } catch (error) {
      this.#events.onUnwatched(all(), (error as NodeJS.ErrnoException).code ?? String(error));
      return undefined;
    }
  }
}

/** A folder to watch. */
interface WantedFolder {
  readonly identity: string;
  readonly names: Map<string, Set<string>>;
}

/** Returns the folders with events for changes of files: those of the files, and those of the targets of symbolic links. */
async function foldersOf(files: Iterable<string>): Promise<ReadonlyMap<string, WantedFolder>> {
  const folders = new Map<string, WantedFolder>();
  const add = async (path: string, file: string) => {
    const { folder, name, identity } = await closestFolder(path);
    const known = folders.get(folder) ?? { identity, names: new Map() };
    folders.set(folder, known);
    known.names.set(name, (known.names.get(name) ?? new Set()).add(file));
  };
  for (const file of files) {
    await add(file, file);
    const target = await realpath(file).catch(() => file);
    if (dirname(target) !== dirname(file)) await add(target, file);
  }
  return folders;
}

/** Returns the closest folder above a path that exists, and the name in it that leads to the path. */
async function closestFolder(
  path: string,
): Promise<{ readonly folder: string; readonly name: string; readonly identity: string }> {
  for (
    let name = basename(path), folder = dirname(path);
    ;
    name = basename(folder), folder = dirname(folder)
  ) {
    const stats = await stat(folder).catch(() => undefined);
    if (stats?.isDirectory() === true) {
      const { dev, ino, birthtimeMs } = stats;
      return { folder, name, identity: `${dev} ${ino} ${birthtimeMs}` };
    }
    // The root of a file system that is gone.
    if (dirname(folder) === folder) return { folder, name, identity: '' };
  }
}
