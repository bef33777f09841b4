import type { ClientBase } from 'pg';

/** Sends commands without results on one connection. Those that wait for the end of a round trip share the next one. */
export class CommandQueue {
  readonly #client: ClientBase;
  #waiting: string[] = [];
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  /** Resolves when the command has been carried out, after all earlier ones. */
  run(command: string): Promise<void> {
    this.#waiting.push(command);
    this.#next ??= this.#send();
    return this.#next;
  }

  async #send(): Promise<void> {
    await this.#current;
    const commands = this.#waiting.join('; ');
    this.#waiting = [];
    this.#next = undefined;
    const sent = this.#client.query(commands);
    this.#current = sent.catch(() => {});
    await sent;
  }
}
