import { detach, follow } from '@tenon/foundation';
import type { Change, Watch } from '@tenon/mcp-client';
import type { ExtensionClient } from '@tenon/mcp-client/extension';
import type { TaskDriver } from './task-driver.js';
import type { TaskReference } from './task-reference.js';

/** The member of the filter of `subscriptions/listen` with the ids of tasks. */
export const taskFilter = 'taskIds';

/** The listen streams of tasks, where the extension has them: one for each task, up to a limit. */
export class TaskListening {
  readonly #client: ExtensionClient;
  readonly #limit: number;
  #open = 0;
  /** True if the server of this session did not accept a listen stream. */
  #isRefused = false;

  /** @param limit - streams at the same time. */
  constructor(client: ExtensionClient, limit: number) {
    this.#client = client;
    this.#limit = limit;
  }

  /** A session has begun: its server may accept listen streams. */
  sessionBegan(): void {
    this.#isRefused = false;
  }

  /** Opens a stream for the task, if there can be one. Returns a function that ends it. */
  begin({ wire, taskId }: TaskReference, driver: TaskDriver): () => void {
    if (wire !== 'extension' || this.#isRefused || this.#open >= this.#limit) return () => {};
    this.#open++;
    let isOver = false;
    let watch: Watch | undefined;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#open--;
      if (watch !== undefined) this.#close(watch);
    };
    const changed = ({ kind }: Change) => {
      if (kind === 'gap' || kind === 'ended') driver.missed(kind === 'gap');
    };
    follow(
      this.#client.watch({ filters: { [taskFilter]: [taskId] } }, changed),
      (opened) => {
        watch = opened;
        if (isOver) return this.#close(opened);
        const accepted = opened.honoured.filters?.[taskFilter];
        if (Array.isArray(accepted) && accepted.includes(taskId)) driver.listening();
        else end();
      },
      () => {
        this.#isRefused = true;
        end();
      },
    );
    return end;
  }

  #close(watch: Watch): void {
    detach(watch.close(), (error) => this.#client.onError(error));
  }
}
