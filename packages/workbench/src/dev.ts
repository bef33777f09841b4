import { dirname, extname, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { constantsOf, detach } from '@tenon/foundation';
import { SharedMemory } from '@tenon/mcp-state/internal';
import type { DevEvent } from './dev/dev-events.js';
import { type DevBounds, type DevOptions, devBounds } from './dev/dev-options.js';
import { HttpFront } from './dev/http/http-front.js';
import { compareSnapshots, type ListSnapshot } from './dev/lists/list-snapshot.js';
import { StdioFront } from './dev/stdio/stdio-front.js';
import { ChildGate } from './dev/supervisor/child-gate.js';
import { type ChildEnd, DevChild, readLines, StartError } from './dev/supervisor/dev-child.js';
import type { DevFront } from './dev/supervisor/dev-front.js';
import { isFile, type LaunchOptions, launchOf, requireFile } from './dev/supervisor/launch.js';
import { FileWatcher } from './dev/watch/file-watcher.js';
import { WorkbenchError } from './failures/workbench-error.js';

export type { ErrorReport } from './dev/child-messages.js';
export type { CallEvent, DevEvent } from './dev/dev-events.js';
export type { DevOptions, DevTarget } from './dev/dev-options.js';
export { explainError } from './dev/explained-error.js';
export { fileServer } from './dev/supervisor/launch.js';

/** A server in development. */
export interface DevServer {
  /** The URL for clients; undefined over stdio. */
  readonly url: string | undefined;
  /** Resolves when the server was closed, or the client over stdio has left. */
  readonly closed: Promise<void>;
  /** Loads the server again. Resolves when that has succeeded or failed. */
  reload(): Promise<void>;
  /** Ends the server and all its processes. */
  close(): Promise<void>;
}

/**
 * Runs a server, reloads it when its files change, and keeps its clients connected. Resolves after the first start, also if that
 * failed: the next change of a file starts the server again.
 * @throws WorkbenchError `usage` if there is no such file, the options do not fit together, or the port is taken.
 */
export async function startDev(options: DevOptions): Promise<DevServer> {
  const bounds = constantsOf(devBounds, options);
  const cwd = resolve(options.cwd ?? process.cwd());
  const supervisor = new Supervisor({ ...options, cwd, target: checkedTarget(options, cwd) }, bounds);
  await supervisor.start();
  return supervisor;
}

function checkedTarget({ target, transport = 'http' }: DevOptions, cwd: string): DevOptions['target'] {
  if (target.kind === 'command') {
    if (transport === 'stdio') return target;
    throw new WorkbenchError('usage', 'A command can only be served over stdio.', {
      hint: 'Add --stdio, or name the file of a server that is made with @tenon/mcp-server.',
    });
  }
  return { ...target, file: requireFile(target.file, cwd) };
}

/** Restarts after crashes in a row; further ones wait for a change. */
const mostRestarts = 6;
/** Milliseconds after which a crash is not one in a row. */
const stableAfter = 10_000;
/** Replaced servers that still finish calls. */
const mostRetiring = 4;

class Supervisor implements DevServer {
  readonly closed: Promise<void>;
  readonly #options: DevOptions & { readonly cwd: string };
  readonly #bounds: DevBounds;
  readonly #state = new SharedMemory();
  readonly #gate: ChildGate;
  readonly #front: DevFront;
  readonly #watcher: FileWatcher;
  readonly #retiring = new Map<DevChild, Promise<void>>();
  #child: DevChild | undefined;
  #starting: DevChild | undefined;
  #lists: ListSnapshot | undefined;
  /** The files of changes that are not loaded yet; undefined: none. */
  #due: Set<string> | undefined;
  #cycle: Promise<void> | undefined;
  #restarts = 0;
  #restart: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #announced = false;
  #closing: Promise<void> | undefined;
  #isClosed: () => void = () => {};

  constructor(options: DevOptions & { readonly cwd: string }, bounds: DevBounds) {
    this.#options = options;
    this.#bounds = bounds;
    this.closed = new Promise((done) => {
      this.#isClosed = done;
    });
    this.#gate = new ChildGate(bounds);
    const parts = {
      bounds,
      gate: this.#gate,
      emit: (event: DevEvent) => this.#emit(event),
      onGone: () => detach(this.close(), () => {}),
    };
    const { port, streams, transport } = options;
    this.#front = transport === 'stdio' ? new StdioFront(parts, streams) : new HttpFront(parts, port);
    const { cwd, envFile } = options;
    this.#watcher = new FileWatcher({
      ...{ cwd, folders: bounds.folders, quietTime: bounds.quietTime },
      patterns: [...(options.watch ?? []), ...patternsOf(options)],
      onChange: (files) => this.#changed(files),
      onProblem: (message) => this.#emit({ type: 'note', message }),
    });
    if (options.target.kind === 'file') this.#watcher.add(options.target.file);
    if (envFile !== undefined) this.#watcher.add(resolve(cwd, envFile));
  }

  get url(): string | undefined {
    return this.#front.url;
  }

  async start(): Promise<void> {
    try {
      // Options that cannot work are reported before anything is started.
      launchOf(this.#launchOptions());
      await this.#front.open();
      await this.reload();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  reload(): Promise<void> {
    return this.#request([]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #changed(files: readonly string[]): void {
    this.#restarts = 0;
    detach(this.#request(files), (error) => this.#emit({ type: 'note', message: String(error) }));
  }

  #request(files: readonly string[]): Promise<void> {
    if (this.#closing !== undefined) return Promise.resolve();
    clearTimeout(this.#restart);
    this.#due ??= new Set();
    for (const file of files) this.#due.add(relative(this.#options.cwd, file));
    this.#gate.hold();
    // A server that starts from files that have changed meanwhile is of no use.
    this.#starting?.kill();
    this.#cycle ??= this.#run().finally(() => {
      this.#cycle = undefined;
    });
    return this.#cycle;
  }

  async #run(): Promise<void> {
    while (this.#due !== undefined && this.#closing === undefined) {
      const files = [...this.#due];
      this.#due = undefined;
      await this.#load(files);
    }
  }

  async #load(files: readonly string[]): Promise<void> {
    const began = performance.now();
    const child = this.#spawn();
    this.#starting = child;
    try {
      await child.ready;
      await this.#front.adopt(child);
    } catch (error) {
      child.kill();
      await child.exited;
      if (this.#due !== undefined) return;
      if (isTaken(error) && this.#child !== undefined) await this.#replace(this.#child, files);
      else this.#failed(error);
      return;
    } finally {
      this.#starting = undefined;
    }
    if (this.#closing !== undefined) return child.stop();
    if (this.#due !== undefined) {
      this.#front.forget(child);
      return child.stop();
    }
    const previous = this.#child;
    const changes = compareSnapshots(previous?.lists ?? this.#lists, child.lists);
    const isReload = this.#lists !== undefined || previous !== undefined;
    this.#child = child;
    this.#lists = child.lists ?? this.#lists;
    this.#watcher.anySource = false;
    this.#startedAt = performance.now();
    this.#gate.open(child);
    const ms = this.#startedAt - began;
    if (isReload && files.length > 0) this.#emit({ type: 'reloaded', ms, files, changes });
    else this.#emit({ type: 'started', ms });
    this.#announce();
    detach(
      child.exited.then((end) => this.#ended(child, end)),
      () => {},
    );
    await this.#front.announce(child, changes, [
      ...this.#retiring.keys(),
      ...(previous === undefined ? [] : [previous]),
    ]);
    if (previous !== undefined && !previous.hasExited) await this.#retire(previous);
  }

  /** Stops a server that holds a port or a file which the new one needs, so that the next attempt can have it. */
  async #replace(previous: DevChild, files: readonly string[]): Promise<void> {
    this.#child = undefined;
    await this.#front.drain(previous);
    await previous.stop();
    this.#due ??= new Set(files);
  }

  /** Stops a replaced server once its calls have ended. Waits only if there are too many of them. */
  async #retire(previous: DevChild): Promise<void> {
    const retired = this.#front
      .drain(previous)
      .then(() => previous.stop())
      .finally(() => this.#retiring.delete(previous));
    this.#retiring.set(previous, retired);
    if (this.#retiring.size >= mostRetiring) await Promise.race(this.#retiring.values());
  }

  #spawn(): DevChild {
    const { cwd } = this.#options;
    const { startTime, stopTime } = this.#bounds;
    const child = new DevChild({
      ...{ cwd, startTime, stopTime },
      launch: launchOf(this.#launchOptions()),
      state: this.#state.open(),
      onLoaded: (urls) => this.#watcher.addLoaded(urls),
      onError: (where, error) => this.#emit({ type: 'error', where, error }),
      onOutput: (line) => this.#emit({ type: 'output', line }),
    });
    // Over stdio the front reads it.
    if (this.#options.transport !== 'stdio')
      readLines(child.stdout, (line) => this.#emit({ type: 'output', line }));
    return child;
  }

  #launchOptions(): LaunchOptions {
    const { transport = 'http', envFile, cwd } = this.#options;
    return {
      ...this.#options,
      transport,
      url: this.#front.url,
      ...(envFile !== undefined && { envFile: resolve(cwd, envFile) }),
    };
  }

  #failed(error: unknown): void {
    if (this.#closing !== undefined) return;
    const failure =
      error instanceof StartError
        ? error
        : new StartError({ message: String(error), stack: String((error as Error)?.stack ?? error) });
    this.#gate.fail(failure);
    this.#watcher.anySource = true;
    const { report, hint } = failure;
    this.#emit({ type: 'failed', error: report, ...(hint !== undefined && { hint }) });
    this.#announce();
  }

  #ended(child: DevChild, { code, signal }: ChildEnd): void {
    this.#front.lost(child);
    if (child !== this.#child || child.stopping || this.#closing !== undefined) return;
    this.#child = undefined;
    const message = `The server ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}.`;
    const failure = new StartError({ message, stack: message });
    this.#gate.hold(failure);
    if (this.#cycle !== undefined) return;
    if (performance.now() - this.#startedAt > stableAfter) this.#restarts = 0;
    if (this.#restarts >= mostRestarts) {
      this.#gate.fail(failure);
      this.#emit({ type: 'crashed', code, signal });
      return;
    }
    const restartIn = 250 * 2 ** this.#restarts++;
    this.#emit({ type: 'crashed', code, signal, restartIn });
    this.#restart = setTimeout(() => detach(this.#request([]), () => {}), restartIn);
  }

  /** Reports the address once, after the first attempt to start. */
  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    const { url } = this.#front;
    this.#emit({ type: 'listening', ...(url !== undefined && { url }) });
  }

  #emit(event: DevEvent): void {
    this.#options.onEvent?.(event);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#restart);
    this.#watcher.close();
    this.#gate.close();
    this.#starting?.kill();
    const child = this.#child;
    await Promise.allSettled([this.#front.close(), child?.stop(), this.#cycle, ...this.#retiring.values()]);
    await this.#child?.stop();
    this.#isClosed();
  }
}

/** Returns patterns for a command, which does not report the files that it loads: those beside its files. */
function patternsOf({ target, cwd = process.cwd() }: DevOptions): readonly string[] {
  if (target.kind === 'file') return [];
  const files = target.args.map((word) => resolve(cwd, word)).filter((path) => isFile(path));
  return files.map((file) => {
    const folder = relative(cwd, dirname(file)).replaceAll('\\', '/');
    return `${folder === '' ? '' : `${folder}/`}**/*${extname(file)}`;
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof StartError && /\bE(?:ADDRINUSE|BUSY)\b/.test(error.report.stack);
}
