import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { systemClock, withinTime } from '@tenon/foundation';
import type { State } from '@tenon/mcp-state';
import {
  endWithThisProcess,
  type ProcessGroup,
  processGroup,
  realDelay,
  reapLeader,
} from '@tenon/mcp-transport-stdio/child/internal';
import {
  type ChildMessage,
  type ErrorReport,
  marker,
  readChildMessage,
  type SupervisorMessage,
} from '../child-messages.js';
import type { ListChange, ListSnapshot } from '../lists/list-snapshot.js';
import { StateHost } from '../state/state-host.js';
import type { DevLaunch } from './launch.js';

/** The server does not start. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly report: ErrorReport;
  readonly hint: string | undefined;

  constructor(report: ErrorReport, hint?: string) {
    super(report.message);
    this.report = report;
    this.hint = hint;
  }
}

/** The end of a process. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The settings of one child. */
interface ChildSettings {
  readonly launch: DevLaunch;
  readonly cwd: string;
  readonly state: State;
  readonly startTime: number;
  readonly stopTime: number;
  onLoaded(urls: readonly string[]): void;
  onError(where: string, error: ErrorReport): void;
  onOutput(line: string): void;
}

/** Longer lines are cut. */
const longestLine = 10_000;

/** One process that runs the server. */
export class DevChild {
  /** Resolves when the server runs. @throws StartError */
  readonly ready: Promise<void>;
  readonly exited: Promise<ChildEnd>;
  url: string | undefined;
  lists: ListSnapshot | undefined;
  /** True after {@link stop}. */
  stopping = false;
  hasExited = false;
  readonly #process: ChildProcess;
  /** Undefined if the process could not be started. */
  readonly #group: ProcessGroup | undefined;
  readonly #disown: () => void;
  readonly #settings: ChildSettings;
  readonly #host: StateHost | undefined;
  readonly #tail: string[] = [];
  #isReady = false;
  #ready: () => void = () => {};
  #failed: (error: StartError) => void = () => {};
  #announced: () => void = () => {};

  constructor(settings: ChildSettings) {
    this.#settings = settings;
    const { launch, cwd, state } = settings;
    const channel = launch.reports ? (['ipc'] as const) : [];
    this.#process = spawn(launch.command, [...launch.args], {
      cwd,
      env: { ...launch.env },
      stdio: ['pipe', 'pipe', 'pipe', ...channel],
      // A group of its own, so that what the server started ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#host = launch.reports ? new StateHost(state, (message) => this.#send(message)) : undefined;
    const { pid } = this.#process;
    this.#group = pid === undefined ? undefined : processGroup(pid);
    this.#disown = this.#group === undefined ? () => {} : endWithThisProcess(this.#group);
    this.exited = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => resolve(this.#ended({ code, signal })));
      this.#process.once('error', (error) => {
        this.#failed(new StartError({ message: error.message, stack: error.message }));
        if (pid === undefined) resolve(this.#ended({ code: null, signal: null }));
      });
    });
    this.ready = this.#starting();
    // Those who start a child wait for it; the supervisor does not wait for one that it replaces while it starts.
    this.ready.catch(() => {});
    this.#process.on('message', (value) => {
      const message = readChildMessage(value);
      if (message !== undefined) this.#receive(message);
    });
    readLines(this.stderr, (line) => {
      this.#tail.push(line);
      if (this.#tail.length > 20) this.#tail.shift();
      settings.onOutput(line);
    });
    // Over HTTP nothing else reads it, and writes to a broken pipe are reported here.
    this.stdin.on('error', () => {});
  }

  /** True if the child reports its lists, and notifies its listeners itself. */
  get reports(): boolean {
    return this.#host !== undefined;
  }

  get stdin(): Writable {
    return this.#process.stdin as Writable;
  }

  get stdout(): Readable {
    return this.#process.stdout as Readable;
  }

  get stderr(): Readable {
    return this.#process.stderr as Readable;
  }

  /** Has the server notify its listeners, in all processes. Resolves when it has done so, or has ended. */
  async announce(changes: readonly ListChange[]): Promise<void> {
    if (changes.length === 0 || this.#host === undefined || this.hasExited) return;
    const done = new Promise<void>((resolve) => {
      this.#announced = resolve;
    });
    this.#send({ type: 'announce', lists: changes.map(({ list }) => list) });
    await Promise.race([done, this.exited]);
  }

  /** Stops the server: with a message and the end of stdin, then with signals. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    const { stopTime: ms } = this.#settings;
    this.#send({ type: 'stop' });
    this.stdin.end();
    const waits = { closeWaitMs: ms, terminateWaitMs: ms, killWaitMs: ms };
    if (this.#group !== undefined)
      await reapLeader({ exited: this.exited, group: this.#group, waits, delay: realDelay });
    await this.exited;
  }

  /** Ends the process and all that it started. */
  kill(): void {
    this.#group?.kill();
  }

  #starting(): Promise<void> {
    const { launch, startTime } = this.#settings;
    const started = new Promise<void>((resolve, reject) => {
      this.#ready = resolve;
      this.#failed = reject;
      if (!launch.reports) this.#process.once('spawn', resolve);
    });
    return withinTime(started, { clock: systemClock, ms: startTime, holds: true }, () => {
      this.kill();
      const message = `The server did not start within ${startTime / 1_000} seconds.`;
      throw new StartError({ message, stack: message }, 'The file may wait for something at its top level.');
    });
  }

  #ended(end: ChildEnd): ChildEnd {
    this.hasExited = true;
    this.#host?.close();
    // Processes that the server left behind.
    this.kill();
    this.#disown();
    const how = end.signal === null ? `with exit code ${end.code}` : `by ${end.signal}`;
    const message = `The server ended ${how} before it was ready.`;
    this.#failed(new StartError({ message, stack: [message, ...this.#tail].join('\n') }));
    return end;
  }

  #receive(message: ChildMessage): void {
    if (message.type === 'state') this.#host?.receive(message);
    else if (message.type === 'loaded') this.#settings.onLoaded(message.urls);
    else if (message.type === 'failed') this.#failed(new StartError(message.error, message.hint));
    else if (message.type === 'error') {
      // An error that ends the process before it is ready is the reason why it does not start.
      if (!this.#isReady && message.where.startsWith('un')) this.#failed(new StartError(message.error));
      else this.#settings.onError(message.where, message.error);
    } else if (message.type === 'announced') this.#announced();
    else {
      this.#isReady = true;
      this.url = message.url;
      this.lists = message.lists;
      this.#ready();
    }
  }

  #send(message: SupervisorMessage): void {
    // Errors of a channel that closes are reported by the end of the process.
    if (this.#process.connected) this.#process.send({ [marker]: message }, () => {});
  }
}

/** Calls a function with each line of a stream. */
export function readLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) take(line.replace(/\r$/, '').slice(0, longestLine));
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}
