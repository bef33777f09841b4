import { SessionError } from '@tenon/mcp-protocol';

/** Tasks that run when signals abort: one listener per signal, for all requests that share it. */
export class AbortListeners {
  #waiting: Map<AbortSignal, Set<() => void>> | undefined;

  /**
   * Runs `task` when the signal aborts.
   * @returns a function that removes the task.
   */
  add(signal: AbortSignal, task: () => void): () => void {
    this.#waiting ??= new Map();
    const tasks = this.#waiting.get(signal) ?? this.#follow(signal, this.#waiting);
    tasks.add(task);
    return () => {
      tasks.delete(task);
      if (tasks.size === 0) this.#forget(signal);
    };
  }

  #follow(signal: AbortSignal, waiting: Map<AbortSignal, Set<() => void>>): Set<() => void> {
    const tasks = new Set<() => void>();
    waiting.set(signal, tasks);
    signal.addEventListener('abort', this.#aborted, { once: true });
    return tasks;
  }

  #forget(signal: AbortSignal): void {
    signal.removeEventListener('abort', this.#aborted);
    this.#waiting?.delete(signal);
    if (this.#waiting?.size === 0) this.#waiting = undefined;
  }

  readonly #aborted = (event: Event): void => {
    const signal = event.target as AbortSignal;
    const tasks = this.#waiting?.get(signal);
    this.#forget(signal);
    for (const task of tasks ?? []) task();
  };
}

/** Returns the reason in a cancellation: the caller's reason, or the timeout. */
export function cancellationReason(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason;
  if (!(reason instanceof SessionError)) return undefined;
  return reason.reason === 'timeout' ? 'The request timed out.' : cancellationReason(reason.cause);
}
