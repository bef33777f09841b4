import { withoutControls } from '@tenon/foundation';
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

/**
 * Returns an id as words of a command line, for a person to copy. The parser takes a word that begins with a dash for an option. The id
 * is a text of the server: it is quoted, so that a shell does not run a part of it.
 */
export function wordsOf(taskId: string): string {
  if (/^[\w.:][\w.:-]*$/.test(taskId)) return taskId;
  const word = /^[\w.:-]+$/.test(taskId) ? taskId : `'${withoutControls(taskId).replaceAll("'", "'\\''")}'`;
  return `--id ${word}`;
}
