import type { TaskReference, TaskStatus } from '@tenon/mcp-tasks/client';
import type { WayBack } from '../server/way-back.js';

/** A task that this program has started. */
export interface StoredTask {
  readonly reference: TaskReference;
  readonly way: WayBack;
  /** The state that was seen last. */
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601, by the server. */
  readonly createdAt: string;
  /** ISO 8601, by this machine. */
  readonly storedAt: string;
  /** Milliseconds for which the server keeps the task; null: it is kept. */
  readonly ttlMs: number | null;
}

/** Returns an id as words of a command line. The parser takes a word that begins with a dash for an option. */
export function wordsOf(taskId: string): string {
  return taskId.startsWith('-') ? `--id ${taskId}` : taskId;
}
