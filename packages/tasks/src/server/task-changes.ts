import type { Clock } from '@tenon/foundation';
import { detach } from '@tenon/mcp-protocol/internal';
import type { State } from '@tenon/mcp-state';

const topic = 'tasks/changed';

/** Notices of changed tasks between all processes. A notice has the id of the task only. */
export class TaskChanges {
  readonly #bus: State['bus'];
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #watches = new Map<string, Set<TaskWatch>>();
  #listener: ((taskId: string) => void) | undefined;
  #subscription: Promise<() => Promise<void>> | undefined;

  constructor(bus: State['bus'], clock: Clock, onError: (error: unknown) => void) {
    this.#bus = bus;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** @param listener - called with the id of each task that has changed. Must not throw. */
  start(listener: (taskId: string) => void): void {
    this.#listener = listener;
    this.#subscription = this.#bus.subscribe(topic, {
      message: (taskId) => this.#received(taskId),
      gap: () => {
        for (const taskId of [...this.#watches.keys()]) this.#received(taskId);
      },
    });
    detach(this.#subscription, this.#onError);
  }

  async stop(): Promise<void> {
    this.#listener = undefined;
    for (const taskId of [...this.#watches.keys()]) this.#received(taskId);
    await (await this.#subscription)?.();
  }

  /** Announces a change to all processes, this one included. */
  announce(taskId: string): void {
    detach(this.#bus.publish(topic, taskId), (error) => {
      this.#onError(error);
      this.#received(taskId);
    });
  }

  /** Notes the changes of a task from now on. Call `end` when they are not needed any more. */
  watch(taskId: string): TaskWatch {
    const watches = this.#watches.get(taskId) ?? new Set();
    this.#watches.set(taskId, watches);
    const watch = new TaskWatch(this.#clock, () => {
      watches.delete(watch);
      if (watches.size === 0) this.#watches.delete(taskId);
    });
    watches.add(watch);
    return watch;
  }

  #received(taskId: string): void {
    for (const watch of this.#watches.get(taskId) ?? []) watch.changed();
    this.#listener?.(taskId);
  }
}

/** The changes of one task since its last `next`. */
export class TaskWatch {
  /** Ends the watch: no `next` resolves any more. */
  readonly end: () => void;
  readonly #clock: Clock;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock, end: () => void) {
    this.#clock = clock;
    this.end = end;
  }

  /** Resolves when the task has changed since the last call, or after so many milliseconds, or when the signal aborts. */
  async next(most: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged && !signal.aborted)
      await new Promise<void>((resolve) => {
        const done = () => {
          cancel();
          signal.removeEventListener('abort', done);
          this.#wake = undefined;
          resolve();
        };
        const cancel = this.#clock.schedule(done, most);
        signal.addEventListener('abort', done, { once: true });
        this.#wake = done;
      });
    this.#hasChanged = false;
  }

  changed(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }
}
