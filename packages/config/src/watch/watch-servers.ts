import { type Cancel, type Clock, onAbort, systemClock } from '@tenon/foundation';
import { type ClientEnvironment, clientEnvironment, pathsOf } from '../clients/client-environment.js';
import type { ConfigProblem, ConfiguredServer } from '../servers/parse-servers.js';
import { textOf } from '../servers/read-servers.js';
import { envFileOf } from '../targets/resolve-target.js';
import { FolderWatcher } from './folder-watcher.js';
import { changesBetween, digestsOf, type ServerChanges, type ServerDigests } from './server-changes.js';
import { digestOf, knownFiles, namedFile, type WatchedFile } from './watched-file.js';

/** Milliseconds without an event before a file is read, and milliseconds after which it is read despite events. */
const [quietTime, longestWait] = [200, 2_000];
/** Files of variables that are watched, at most. Changes of others are not seen. */
const maxVariableFiles = 100;
/** Problems of one file that are remembered, at most. A file that has had more reports some again. */
const maxReported = 2_000;

/** The files to watch, and what to do with their changes. */
export interface WatchOptions {
  /** One file, in the format of any client. Default: the files of all known clients. */
  readonly file?: string;
  /** Default: that of this process. */
  readonly environment?: ClientEnvironment;
  /** Receives each difference, but not the servers of the start. An error that it throws is an uncaught exception. */
  readonly onChange: (changes: ServerChanges) => void;
  /** Receives each problem once, until its file has none. Those of the start are received before `watchServers` resolves. */
  readonly onProblem?: (problem: ConfigProblem) => void;
  /** Closes the watcher. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** Watched configuration files. */
export interface ServerWatcher {
  /** The servers as they were last usable, in the order of clients and files. */
  readonly servers: readonly ConfiguredServer[];
  /** The problems of the present content of the files. */
  readonly problems: readonly ConfigProblem[];
  /** Ends the watch at once: nothing is received any more. */
  close(): void;
}

/**
 * Reads the servers of configuration files, and watches the files. While a file is malformed, cannot be read or is being replaced, it
 * keeps the servers that it had, and so does an entry that cannot be used. A file of a client that is missing or empty for two seconds
 * has no servers any more; a file that was named keeps them. Changes of files of variables (`envFile`) change their servers.
 *
 * It keeps the process alive until it is closed.
 * @throws the reason of the signal if it has aborted.
 */
export async function watchServers(options: WatchOptions): Promise<ServerWatcher> {
  options.signal?.throwIfAborted();
  const watch = new ServerWatch(options);
  const release = onAbort(options.signal, () => watch.close());
  try {
    await watch.start();
    options.signal?.throwIfAborted();
  } catch (error) {
    release();
    watch.close();
    throw error;
  }
  return {
    get servers() {
      return watch.servers;
    },
    get problems() {
      return watch.problems;
    },
    close() {
      release();
      watch.close();
    },
  };
}

class ServerWatch {
  readonly #environment: ClientEnvironment;
  readonly #onChange: WatchOptions['onChange'];
  readonly #onProblem: NonNullable<WatchOptions['onProblem']>;
  readonly #clock: Clock;
  readonly #files: readonly WatchedFile[];
  /** The digests of files of variables, as they were last readable. */
  readonly #variableFiles = new Map<string, string | undefined>();
  readonly #folders: FolderWatcher;
  /** The files that cannot be watched. */
  readonly #unwatched = new Map<string, ConfigProblem>();
  /** The problems of each file that were reported while it had some. */
  readonly #reported = new Map<string, Set<string>>();
  readonly #dirty = new Set<string>();
  readonly #later = new Map<string, Cancel>();
  #digests: ServerDigests = new Map();
  #cancel: Cancel | undefined;
  #firstEvent = 0;
  #isBusy = true;
  #isClosed = false;

  constructor({ file, environment = clientEnvironment(), onChange, onProblem, clock }: WatchOptions) {
    this.#environment = environment;
    this.#onChange = onChange;
    this.#onProblem = onProblem ?? (() => {});
    this.#clock = clock ?? systemClock;
    this.#files =
      file === undefined
        ? knownFiles(environment)
        : [namedFile(pathsOf(environment).resolve(environment.cwd, file), environment)];
    this.#folders = new FolderWatcher({
      onEvent: (path) => this.#changed(path),
      onUnwatched: (files, reason) => {
        const message = `its changes are not seen: the folder cannot be watched (${reason})`;
        for (const path of files) this.#unwatched.set(path, { file: path, message });
      },
    });
  }

  get servers(): readonly ConfiguredServer[] {
    return [...this.#digests.values()].map(({ server }) => server);
  }

  get problems(): readonly ConfigProblem[] {
    return [...this.#files.flatMap(({ problems }) => problems), ...this.#unwatched.values()];
  }

  async start(): Promise<void> {
    await this.#update(new Set(this.#files.map(({ path }) => path)));
    this.#report();
    this.#rest();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const cancel of this.#later.values()) cancel();
    this.#folders.close();
  }

  #changed(path: string): void {
    if (this.#isClosed) return;
    this.#dirty.add(path);
    if (this.#isBusy) return;
    const now = this.#clock.now();
    if (this.#cancel === undefined) this.#firstEvent = now;
    else if (now - this.#firstEvent >= longestWait) return;
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(() => {
      this.#cancel = undefined;
      this.#read().catch(throwLater);
    }, quietTime);
  }

  /** Reads the files that may have changed. Events that arrive meanwhile are for the next time. */
  async #read(): Promise<void> {
    this.#isBusy = true;
    const dirty = new Set(this.#dirty);
    this.#dirty.clear();
    try {
      const changes = await this.#update(dirty);
      try {
        this.#report();
      } finally {
        if (changes !== undefined && !this.#isClosed) this.#onChange(changes);
      }
    } finally {
      this.#rest();
    }
  }

  #rest(): void {
    this.#isBusy = false;
    for (const path of this.#dirty) this.#changed(path);
  }

  async #update(dirty: ReadonlySet<string>): Promise<ServerChanges | undefined> {
    // A change after this is an event, also if the file is read before.
    await this.#watchFolders();
    const files = this.#files.filter(({ path }) => dirty.has(path));
    await Promise.all(files.map(async (file) => this.#again(file.path, await file.read(this.#clock.now()))));
    const servers = this.#files.flatMap((file) => file.servers);
    await this.#readVariableFiles(servers, dirty);
    const after = digestsOf(servers, this.#environment, (server) => {
      const path = envFileOf(server, this.#environment);
      return path === undefined ? undefined : this.#variableFiles.get(path);
    });
    const changes = changesBetween(this.#digests, after);
    this.#digests = after;
    return changes;
  }

  async #watchFolders(): Promise<void> {
    this.#unwatched.clear();
    await this.#folders.watch([...this.#files.map(({ path }) => path), ...this.#variableFiles.keys()]);
  }

  /** Reads a file again after a time, if there is one. */
  #again(path: string, ms: number | undefined): void {
    this.#later.get(path)?.();
    this.#later.delete(path);
    if (ms === undefined || this.#isClosed) return;
    this.#later.set(
      path,
      this.#clock.schedule(() => this.#changed(path), ms),
    );
  }

  async #readVariableFiles(servers: readonly ConfiguredServer[], dirty: ReadonlySet<string>): Promise<void> {
    const named = servers.map((server) => envFileOf(server, this.#environment));
    const paths = [...new Set(named.filter((path) => path !== undefined))].slice(0, maxVariableFiles);
    for (const path of this.#variableFiles.keys())
      if (!paths.includes(path)) this.#variableFiles.delete(path);
    const added = paths.filter((path) => !this.#variableFiles.has(path));
    for (const path of added) this.#variableFiles.set(path, undefined);
    if (added.length > 0) await this.#watchFolders();
    for (const path of paths.filter((one) => dirty.has(one) || added.includes(one))) {
      const { text = '' } = await textOf(path);
      // A file that is missing or empty may be in the middle of being written.
      if (text.trim() !== '') this.#variableFiles.set(path, digestOf(text));
    }
  }

  #report(): void {
    const problems = this.#isClosed ? [] : this.problems;
    const files = new Set(problems.map(({ file }) => file));
    for (const file of this.#reported.keys()) if (!files.has(file)) this.#reported.delete(file);
    for (const problem of problems) {
      const key = `${problem.server ?? ''}\n${problem.message}`;
      const known = this.#reported.get(problem.file) ?? new Set();
      this.#reported.set(problem.file, known);
      if (known.has(key)) continue;
      if (known.size >= maxReported) known.clear();
      known.add(key);
      this.#onProblem(problem);
    }
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
