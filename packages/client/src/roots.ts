import { constants, type FSWatcher, watch } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from '@tenon/mcp-protocol';
import { type Clock, systemClock } from '@tenon/mcp-session';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { LiveRoots } from './features/roots.js';

export type { LiveRoots, RootSource } from './features/roots.js';

/** A folder to expose: its path, or its path and a name to show. */
export type Folder = string | { readonly path: string; readonly name: string };

/** How folders are looked after. */
export interface FolderRootsOptions {
  /** Notices by itself that folders go away or come back. Default true; they are looked at whenever a server asks, too. */
  readonly watch?: boolean;
  /** Least milliseconds between two looks, however often something changes. Default 200. */
  readonly pause?: number;
  /** Hears of folders that cannot be watched, and of what listeners throw. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Time, for tests. */
  readonly clock?: Clock;
}

/** Folders as roots: only those that are there and can be read are told to servers. */
export interface FolderRoots extends LiveRoots {
  /** The roots when they were last looked at. */
  readonly available: readonly Root[];
  /** Looks whether the folders are there. Resolves with true when that changed; clients then tell their servers. */
  refresh(): Promise<boolean>;
}

interface KnownFolder {
  readonly path: string;
  readonly root: Root;
}

/**
 * Makes roots of folders, to be given to `connect`. Whether the user agrees to expose them is asked by the host before.
 * @throws TypeError for what is no path or no option; Error for a folder that is not there, is no folder, or cannot be read.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 */
export async function folderRoots(
  folders: readonly Folder[],
  options: FolderRootsOptions = {},
): Promise<FolderRoots> {
  const { callable, flag, notNegative, object } = optionRules;
  requireOptions('folderRoots', options, {
    watch: flag,
    pause: notNegative,
    onError: callable,
    clock: object,
  });
  if (!Array.isArray(folders)) throw new TypeError('folderRoots takes a list of folders.');
  const known = new Map<string, KnownFolder>();
  for (const folder of folders as readonly Folder[]) {
    const { path, name } = partsOf(folder);
    const full = resolve(path);
    const obstacle = await obstacleTo(full);
    if (obstacle !== undefined) throw new Error(`"${path}" cannot be a root: ${obstacle}.`);
    const root = { uri: pathToFileURL(full).href, name: name ?? (basename(full) || full) };
    const same = await realpath(full);
    if (!known.has(same)) known.set(same, { path: full, root });
  }
  return new WatchedFolders([...known.values()], options);
}

function partsOf(folder: Folder): { readonly path: string; readonly name: string | undefined } {
  const { path, name } =
    typeof folder === 'string'
      ? { path: folder, name: undefined }
      : ((folder ?? {}) as Partial<typeof folder>);
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError(`A root needs the path of a folder, not ${JSON.stringify(path)}.`);
  }
  if (name === undefined || typeof name === 'string') return { path, name };
  throw new TypeError(`The name of the root "${path}" must be a text.`);
}

class WatchedFolders implements FolderRoots {
  readonly #folders: readonly KnownFolder[];
  readonly #options: FolderRootsOptions;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #available: readonly Root[];
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<boolean> | undefined;
  #watchers: FSWatcher[] = [];
  #cancelLook: (() => void) | undefined;

  constructor(folders: readonly KnownFolder[], options: FolderRootsOptions) {
    this.#folders = folders;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#available = folders.map(({ root }) => root);
  }

  get available(): readonly Root[] {
    return this.#available;
  }

  async list(): Promise<readonly Root[]> {
    await this.refresh();
    return this.#available;
  }

  /** Looks run one after another: one that waits sees everything that happened before it began. */
  refresh(): Promise<boolean> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#look();
    });
    // One that failed keeps no later one from being made.
    this.#last = this.#next.catch(() => undefined);
    return this.#next;
  }

  watch(changed: () => void): () => void {
    // A function of its own for each: the same listener may be given twice.
    const listener = () => changed();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#watchFolders();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#unwatchFolders();
    };
  }

  async #look(): Promise<boolean> {
    const obstacles = await Promise.all(this.#folders.map(({ path }) => obstacleTo(path)));
    const there = this.#folders.filter((_, index) => obstacles[index] === undefined).map(({ root }) => root);
    const before = this.#available;
    if (there.length === before.length && there.every((root, index) => root === before[index])) return false;
    this.#available = there;
    for (const listener of [...this.#listeners]) this.#tell(listener);
    return true;
  }

  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#options.onError?.(error, 'roots that changed');
    }
  }

  #watchFolders(): void {
    if (this.#options.watch === false) return;
    // A folder that goes away or comes back is a change of the one above it, of which some part is always there.
    const parents = new Set(this.#folders.map(({ path }) => dirname(path)));
    for (const parent of parents) this.#watchNearest(parent);
  }

  #watchNearest(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#lookSoon());
      watcher.on('error', () => this.#lookSoon());
      this.#watchers.push(watcher);
    } catch (error) {
      const above = dirname(folder);
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isGone && above !== folder) this.#watchNearest(above);
      else this.#options.onError?.(error, `watching ${folder}`);
    }
  }

  #unwatchFolders(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #lookSoon(): void {
    this.#cancelLook ??= this.#clock.schedule(() => {
      // What was watched may have been replaced by another folder of the same name.
      this.#unwatchFolders();
      this.#watchFolders();
      this.refresh().catch(() => undefined);
    }, this.#options.pause ?? 200);
  }
}

/** What keeps a folder from being a root, in words; undefined for nothing. */
async function obstacleTo(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return 'it is no folder';
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'it does not exist';
    return code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : `it cannot be read (${code})`;
  }
}
