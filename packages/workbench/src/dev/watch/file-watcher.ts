import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globBase, globTest } from './glob.js';

/** The settings of a watcher. */
interface WatchSettings {
  readonly cwd: string;
  readonly patterns: readonly string[];
  /** Folders that may be watched. */
  readonly folders: number;
  /** Milliseconds without a further change before `onChange` is called. */
  readonly quietTime: number;
  onChange(files: readonly string[]): void;
  /** Receives a problem that the user should know, once for each cause. */
  onProblem(message: string): void;
}

const ignored = /(?:^|[\\/])(?:node_modules|\.git|__pycache__|\.venv)(?:[\\/]|$)/;

/** Watches the files that a server has loaded, and those of patterns. */
export class FileWatcher {
  readonly #settings: WatchSettings;
  readonly #files = new Set<string>();
  readonly #folders = new Map<string, FSWatcher>();
  readonly #trees: FSWatcher[] = [];
  readonly #changed = new Set<string>();
  /** Texts as they were last seen: editors and formatters write files without a change. */
  readonly #texts = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #anySource = false;
  #isFull = false;
  #closed = false;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
    for (const pattern of settings.patterns) this.#watchTree(pattern);
  }

  /** True: a change of any source file in a watched folder counts, because the server may lack a file that does not exist yet. */
  set anySource(value: boolean) {
    this.#anySource = value;
  }

  /** Adds files by their URLs. */
  addLoaded(urls: readonly string[]): void {
    for (const url of urls) {
      if (url.startsWith('file:')) this.add(fileURLToPath(url.replace(/[?#].*$/, '')));
    }
  }

  /** Adds a file by its absolute path. Its folder is watched: many editors replace the file when they save. */
  add(file: string): void {
    if (this.#closed || this.#files.has(file) || ignored.test(file)) return;
    this.#files.add(file);
    const text = contentsOf(file);
    if (text !== undefined) this.#texts.set(file, text);
    const folder = dirname(file);
    if (this.#folders.has(folder)) return;
    if (this.#folders.size >= this.#settings.folders) {
      if (!this.#isFull)
        this.#settings.onProblem(
          `More than ${this.#settings.folders} folders: changes elsewhere are not seen.`,
        );
      this.#isFull = true;
      return;
    }
    const watcher = this.#watch(folder, (name) => this.#seen(join(folder, name)));
    if (watcher !== undefined) this.#folders.set(folder, watcher);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const watcher of [...this.#folders.values(), ...this.#trees]) watcher.close();
    this.#folders.clear();
  }

  #watchTree(pattern: string): void {
    const { cwd, folders } = this.#settings;
    const normal = relative(cwd, resolve(cwd, pattern)).split(sep).join('/');
    const base = resolve(cwd, globBase(normal));
    if (this.#trees.length >= folders) return;
    const matches = globTest(normal);
    const watcher = this.#watch(
      base,
      (name) => {
        const file = join(base, name);
        if (!ignored.test(name) && matches(relative(cwd, file).split(sep).join('/'))) this.#change(file);
      },
      true,
    );
    if (watcher !== undefined) this.#trees.push(watcher);
  }

  #watch(folder: string, seen: (name: string) => void, recursive = false): FSWatcher | undefined {
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (_, name) => {
        if (name !== null) seen(name);
      });
      // The folder was deleted.
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#settings.onProblem(`The folder ${folder} cannot be watched: ${reason}`);
      return undefined;
    }
  }

  #seen(file: string): void {
    if (this.#files.has(file)) this.#change(file);
    else if (this.#anySource && isSource(file)) this.#change(file);
  }

  #change(file: string): void {
    if (this.#closed) return;
    this.#changed.add(file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), this.#settings.quietTime);
  }

  #flush(): void {
    const files = [...this.#changed].filter((file) => this.#differs(file));
    this.#changed.clear();
    if (files.length > 0) this.#settings.onChange(files);
  }

  /** True if the text of a file is not the one that was seen last. */
  #differs(file: string): boolean {
    const text = contentsOf(file);
    // An editor may be between deleting and writing: the file that replaces it is a change of its own.
    if (text === undefined) return this.#texts.delete(file);
    const differs = this.#texts.get(file) !== text;
    this.#texts.set(file, text);
    return differs;
  }
}

function isSource(file: string): boolean {
  return /^\.(?:[cm]?[jt]sx?|json)$/.test(extname(file)) && !basename(file).startsWith('.');
}

/** Large files are compared by size and time. */
const largestText = 1_048_576;

function contentsOf(file: string): string | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    return size > largestText ? `${size} ${mtimeMs}` : readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
