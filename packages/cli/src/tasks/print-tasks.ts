import type { DetailedTask, TaskReference, TaskStatus } from '@tenon/mcp-tasks/client';
import type { Style } from '../terminal/paint.js';
import type { Terminal } from '../terminal/terminal.js';
import { oneLine, printFacts } from '../terminal/texts.js';

/** One line of a list of tasks. */
export interface TaskRow {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  /** Absent for a task that another program has started. */
  readonly tool?: string;
  readonly server?: string;
}

const styles: Readonly<Record<TaskStatus, Style>> = {
  working: 'cyan',
  input_required: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
};

/** Prints tasks as aligned columns, by server, or as JSON. */
export function printTasks(terminal: Terminal, rows: readonly TaskRow[], json: boolean): void {
  if (json) terminal.printJson(rows);
  else if (rows.length === 0) terminal.note('There are no tasks.');
  else printRows(terminal, rows);
}

function printRows(terminal: Terminal, rows: readonly TaskRow[]): void {
  const servers = new Map<string, TaskRow[]>();
  for (const row of rows) {
    const server = row.server ?? '';
    servers.set(server, [...(servers.get(server) ?? []), row]);
  }
  const ids = Math.max(...rows.map(({ taskId }) => oneLine(taskId).length));
  const tools = Math.max(...rows.map(({ tool = '' }) => oneLine(tool).length));
  for (const [server, own] of servers) {
    if (server !== '') terminal.print(terminal.paint('bold', oneLine(server)));
    for (const { taskId, status, tool = '', statusMessage = '', createdAt } of own) {
      const columns = [
        oneLine(taskId).padEnd(ids),
        terminal.paint(styles[status], status.padEnd('input_required'.length)),
        ...(tools === 0 ? [] : [oneLine(tool).padEnd(tools)]),
        ageOf(createdAt).padEnd(6),
        oneLine(statusMessage),
      ];
      terminal.print(`  ${columns.join('  ')}`.trimEnd());
    }
  }
}

/** Prints the state of one task for people. */
export function printTask(terminal: Terminal, task: DetailedTask, reference: TaskReference): void {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, inputRequests = {}, error } = task;
  const facts: (readonly [label: string, text: string])[] = [
    ['task', taskId],
    ['tool', reference.call.name],
    ['status', statusMessage === undefined ? status : `${status}: ${statusMessage}`],
    ['created', `${createdAt} (${ageOf(createdAt)} ago)`],
    ['updated', `${lastUpdatedAt} (${ageOf(lastUpdatedAt)} ago)`],
    ['kept for', ttlMs === null ? 'no limit' : durationOf(ttlMs)],
    ...Object.entries(inputRequests).map(([key, { method, params }]) => {
      const message = method === 'elicitation/create' ? params.message : method;
      return [`input ${key}`, message] as const;
    }),
    ...(error === undefined ? [] : [['error', `${error.message} (${error.code})`] as const]),
  ];
  printFacts(
    facts.map(([label, text]) => [oneLine(label), oneLine(text)]),
    terminal,
  );
}

/** Returns the text of one state of a task. */
export function describeState({ status, statusMessage }: DetailedTask): string {
  return oneLine(statusMessage === undefined ? status : `${status}  ${statusMessage}`);
}

/** Returns the time since a date, such as `3 min`. */
function ageOf(date: string): string {
  const since = Date.now() - Date.parse(date);
  return Number.isNaN(since) ? '?' : durationOf(Math.max(0, since));
}

function durationOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
