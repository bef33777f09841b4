import type { DetailedTask } from '../model/task.js';

/** The changes of one task. A slow reader receives the newest; earlier ones are left out. */
export class TaskUpdates implements AsyncIterable<DetailedTask> {
  #latest: DetailedTask | undefined;
  #version = 0;
  #ended = false;
  #waiting: (() => void)[] = [];

  push(task: DetailedTask): void {
    this.#latest = task;
    this.#version++;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<DetailedTask, void, undefined> {
    for (let seen = 0; ; ) {
      if (seen < this.#version && this.#latest !== undefined) {
        seen = this.#version;
        yield this.#latest;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
