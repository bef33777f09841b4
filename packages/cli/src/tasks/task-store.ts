import { join } from 'node:path';
import { withoutControls } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-client';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { DetailedTask, TaskReference, TaskStatus } from '@tenon/mcp-tasks/client';
import { WorkbenchError } from '@tenon/mcp-workbench';
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

/** The most tasks that are stored. The oldest are removed first. */
export const mostStored = 200;

/** The longest arguments, and the longest status message, that are stored with a task, in characters. */
const longestText = 2_000;

/** The most characters of all tasks as JSON. */
const longestList = 500_000;

/** Milliseconds for which a task without a time to live is stored. */
const longestLife = 30 * 24 * 3_600_000;

const key = 'tasks';

/** The tasks that this program has started, in a file that only the user can read. Expired tasks are removed. */
export class TaskStore {
  readonly #path: string;

  /** @param folder - the folder for the state of this program. */
  constructor(folder: string) {
    this.#path = join(folder, 'tasks.json');
  }

  /** Returns the tasks, the newest first. @throws WorkbenchError `usage` if the file cannot be used. */
  async list(): Promise<readonly StoredTask[]> {
    const { store } = await this.#open();
    return this.#guarded(async () => alive((await store.get(key))?.value));
  }

  /** Adds a task, or replaces what is stored about it. */
  async put(task: StoredTask): Promise<void> {
    await this.#change((tasks) => [compact(task), ...tasks.filter((other) => !isSame(other, task))]);
  }

  /** Stores the state of a task, if the task is stored. */
  async update({ reference }: Pick<StoredTask, 'reference'>, seen: DetailedTask): Promise<void> {
    const { status, statusMessage, ttlMs } = seen;
    await this.#change((tasks) =>
      tasks.map((task) => {
        if (!isSame(task, { reference })) return task;
        const { statusMessage: _, ...rest } = task;
        return compact({ ...rest, status, ttlMs, ...(statusMessage !== undefined && { statusMessage }) });
      }),
    );
  }

  /** Removes a task. */
  async remove(task: Pick<StoredTask, 'reference'>): Promise<void> {
    await this.#change((tasks) => tasks.filter((other) => !isSame(other, task)));
  }

  async #change(next: (tasks: readonly StoredTask[]) => readonly StoredTask[]): Promise<void> {
    const { store } = await this.#open();
    const { ConflictError, change, swapTarget } = await import('@tenon/mcp-state/internal');
    await this.#guarded(async () => {
      try {
        await change<JsonObject>({ kv: swapTarget(store), key }, (value) => {
          const tasks = bounded(next(alive(value)));
          return { tasks } as unknown as JsonObject;
        });
      } catch (cause) {
        const message = `Other processes write ${this.#path} all the time: try again later.`;
        throw cause instanceof ConflictError ? new WorkbenchError('usage', message, { cause }) : cause;
      }
    });
  }

  async #open() {
    const { FileAuthStore, AuthError } = await import('@tenon/mcp-auth/desktop');
    return { store: new FileAuthStore({ path: this.#path }), AuthError };
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    const { AuthError } = await this.#open();
    try {
      return await work();
    } catch (error) {
      throw error instanceof AuthError ? unusable(error) : error;
    }
  }
}

function unusable(cause: Error): WorkbenchError {
  return new WorkbenchError('usage', `The list of tasks cannot be used: ${cause.message}`, { cause });
}

function isSame(a: Pick<StoredTask, 'reference'>, b: Pick<StoredTask, 'reference'>): boolean {
  return a.reference.taskId === b.reference.taskId && a.reference.endpoint === b.reference.endpoint;
}

/** Returns as many of the newest tasks as may be stored. */
function bounded(tasks: readonly StoredTask[]): readonly StoredTask[] {
  let length = 0;
  return tasks.slice(0, mostStored).filter((task) => {
    length += JSON.stringify(task).length;
    return length <= longestList;
  });
}

/** Returns a task without long texts, so that the file stays small. */
function compact(task: StoredTask): StoredTask {
  const { reference, statusMessage } = task;
  const { name } = reference.call;
  const isLong = JSON.stringify(reference.call.arguments ?? {}).length > longestText;
  return {
    ...task,
    ...(isLong && { reference: { ...reference, call: { name } } }),
    ...(statusMessage !== undefined && { statusMessage: statusMessage.slice(0, longestText) }),
  };
}

/** Returns the stored tasks that the server may still know. */
function alive(value: unknown): readonly StoredTask[] {
  const tasks = isObject(value) && Array.isArray(value.tasks) ? value.tasks : [];
  return tasks.filter(isStoredTask).filter(({ storedAt, ttlMs }) => {
    const end = Date.parse(storedAt) + Math.min(ttlMs ?? longestLife, longestLife);
    return end >= Date.now();
  });
}

function isStoredTask(value: unknown): value is StoredTask {
  if (!isObject(value)) return false;
  const { reference, way, status, createdAt, storedAt, ttlMs } = value;
  return (
    isReference(reference) &&
    isObject(way) &&
    statuses.has(status) &&
    typeof createdAt === 'string' &&
    typeof storedAt === 'string' &&
    (ttlMs === null || typeof ttlMs === 'number')
  );
}

const statuses: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** True for a value with the members of a task reference. */
export function isReference(value: unknown): value is StoredTask['reference'] {
  if (!isObject(value)) return false;
  const { endpoint, wire, taskId, call } = value;
  const texts = [endpoint, taskId, isObject(call) ? call.name : undefined];
  return texts.every((text) => typeof text === 'string') && (wire === 'core' || wire === 'extension');
}
