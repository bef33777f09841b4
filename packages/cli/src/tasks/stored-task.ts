import type { TaskReference, TaskStatus } from '@tenon/mcp-tasks/client';
import type { ServerTarget } from '@tenon/mcp-workbench';

/** The way back to a server: words of a command line, without headers, variables and the query of a URL, which may be secrets. */
export interface WayBack {
  /** The first word: a URL, or a name from a configuration file. Absent for a command. */
  readonly server?: string;
  /** The words after `--`. */
  readonly command?: readonly string[];
  /** The working folder of the command. */
  readonly cwd?: string;
}

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

/** Returns the way back to a server. */
export function wayTo(target: ServerTarget): WayBack {
  if (target.name !== undefined) return { server: target.name };
  if (target.kind === 'url') {
    const { origin, pathname } = new URL(target.url);
    return { server: origin + pathname };
  }
  const { command, args, cwd } = target;
  return { command: [command, ...args], ...(cwd !== undefined && { cwd }) };
}

/** Returns a text that names the server, for people. */
export function describeWay({ server, command = [] }: WayBack): string {
  return server ?? `-- ${command.join(' ')}`;
}

/** Returns an id as words of a command line. The parser takes a word that begins with a dash for an option. */
export function wordsOf(taskId: string): string {
  return taskId.startsWith('-') ? `--id ${taskId}` : taskId;
}
