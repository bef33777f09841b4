import type { Clock } from '@tenon/foundation';
import { detach } from '@tenon/foundation';
import type { State } from '@tenon/mcp-state';
import { Alarm } from '../model/alarm.js';

const topic = 'tasks/changed';

/** Notices of changed tasks between all processes. A notice has the id of the task only. */
export class TaskChanges {
  readonly #bus: State['bus'];
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #watches = new Map<string, Set<Alarm>>();
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
    const changed = new Alarm(this.#clock);
    watches.add(changed);
    const end = () => {
      watches.delete(changed);
      if (watches.size === 0) this.#watches.delete(taskId);
    };
    return { changed, end };
  }

  #received(taskId: string): void {
    for (const changed of this.#watches.get(taskId) ?? []) changed.ring();
    this.#listener?.(taskId);
  }
}

/** The changes of one task: the alarm rings with each. */
export interface TaskWatch {
  readonly changed: Alarm;
  /** Ends the watch: the alarm rings no more. */
  end(): void;
}
