import { constants, type FSWatcher, watch } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Clock, constantsOf, optionRules, requireOptions, systemClock } from '@tenon/foundation';
import type { Root } from '@tenon/mcp-protocol';
import type { LiveRoots } from './features/roots.js';

export type { LiveRoots, RootSource } from './features/roots.js';

/** A folder to expose: its path, or its path and a name for display. */
export type Folder = string | { readonly path: string; readonly name: string };

/** Options of folder roots. */
export interface FolderRootsOptions {
  /** Watches the folders for removal and return. Default: true. They are also checked with each request of a server. */
  readonly watch?: boolean;
  /** Receives folders that cannot be watched, and errors of listeners. */
  readonly onError?: (error: unknown, where: string) => void;
  /** Time, for tests. */
  readonly clock?: Clock;
}

/** Least milliseconds between two checks. */
const bounds = { pause: 200 };

/** Folders as roots: only existing, readable folders are sent to servers. */
export interface FolderRoots extends LiveRoots {
  /** The roots at the last check. */
  readonly available: readonly Root[];
  /** Checks the folders. Resolves with true if they changed; clients then notify their servers. */
  refresh(): Promise<boolean>;
}

interface KnownFolder {
  readonly path: string;
  readonly root: Root;
}

/**
 * Returns roots for `connect` from folders. Get the user's consent to expose them before.
 * @throws TypeError for invalid paths or options; Error for a folder that does not exist, is not a folder, or cannot be read.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
 */
export async function folderRoots(
  folders: readonly Folder[],
  options: FolderRootsOptions = {},
): Promise<FolderRoots> {
  const { callable, flag, object } = optionRules;
  requireOptions('folderRoots', options, {
    watch: flag,
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

  /** Checks run one after another: a later one sees every change before its start. */
  refresh(): Promise<boolean> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#look();
    });
    // A failed check does not prevent the next one.
    this.#last = this.#next.catch(() => undefined);
    return this.#next;
  }

  watch(changed: () => void): () => void {
    // A new function for each: the same listener may be added twice.
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
    for (const listener of [...this.#listeners]) this.#notify(listener);
    return true;
  }

  #notify(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#options.onError?.(error, 'roots that changed');
    }
  }

  #watchFolders(): void {
    if (this.#options.watch === false) return;
    // The removal or return of a folder is a change of its parent, and some ancestor always exists.
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
      // The watched folder may have been replaced by another one of the same name.
      this.#unwatchFolders();
      this.#watchFolders();
      this.refresh().catch(() => undefined);
    }, constantsOf(bounds, this.#options).pause);
  }
}

/** Returns the problem of a folder as a root; undefined if there is none. */
async function obstacleTo(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return 'it is not a folder';
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'it does not exist';
    return code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : `it cannot be read (${code})`;
  }
}
