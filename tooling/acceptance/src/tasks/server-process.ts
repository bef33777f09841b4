import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A state that several processes share. */
export interface SharedState {
  readonly kind: 'Redis' | 'PostgreSQL';
  readonly url: string;
  /**
   * Has the leases of a task expire, as they do some seconds after the process that held them was killed. Returns how many the task had.
   */
  expire(taskId: string): Promise<number>;
  close(): Promise<unknown>;
}

/** The settings of one process. */
export interface ProcessSettings {
  readonly stateKey: string;
  /** True if its handlers stop after their first step. */
  readonly stops: boolean;
}

interface Message {
  readonly url?: string;
  readonly step?: string;
  readonly stopped?: boolean;
}

/** A server in a process of its own. */
export class ServerProcess {
  /** The steps that its handlers have run, in order. */
  readonly steps: string[] = [];
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #messages: Message[] = [];
  #wake: () => void = () => {};
  #log = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    child.on('message', (message: Message) => {
      if (message.step !== undefined) this.steps.push(message.step);
      this.#messages.push(message);
      this.#wake();
    });
    child.once('exit', () => this.#wake());
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#log += text;
    });
  }

  static start({ kind, url }: SharedState, settings: ProcessSettings): ServerProcess {
    const program = fileURLToPath(new URL('../../fixtures/tasks/server.js', import.meta.url));
    return new ServerProcess(
      fork(program, [JSON.stringify({ kind, url, ...settings })], { execArgv: [], silent: true }),
    );
  }

  /** Returns the port of its server. */
  async port(): Promise<string> {
    const { url } = await this.#next((message) => message.url !== undefined);
    return new URL(url ?? '').port;
  }

  /** Resolves when a handler has stopped after its first step. */
  async stopped(): Promise<void> {
    await this.#next((message) => message.stopped === true);
  }

  /** Kills the process as the kernel does: nothing of it runs any more. */
  async kill(): Promise<void> {
    if (this.#isOver) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  get #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #next(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#messages.find(wanted);
      if (found !== undefined) return found;
      if (this.#isOver) throw new Error(`The server process has ended. ${this.#log}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
