import { revisions } from '@tenon/mcp-protocol';
import type { TaskReference, TaskWire } from '@tenon/mcp-tasks/client';
import { type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import { parseJsonObject } from '../files/files.js';
import { describeWay } from '../server/way-back.js';
import type { ServerLine } from '../server/with-client.js';
import { isReference, type StoredTask, type TaskStore } from './task-store.js';

/** A task that the user chose, before the connection. */
interface ChosenTask {
  /** The line of the connection, with the words that name the server. */
  readonly line: ServerLine;
  /** Returns the reference, once the client is connected. */
  referenceFor(client: ServerClient): Promise<TaskReference>;
}

/** The shortest beginning of an id that names a task. */
const shortest = 4;

/**
 * Returns the task of a command line: `SERVER ID`, `ID -- command`, or `ID` alone for a task that is stored. An ID is the whole id, the
 * beginning of the id of a stored task, or a task reference as JSON.
 * @throws WorkbenchError `usage` if the task is unknown, or the beginning fits several tasks.
 */
export async function chosenTask(
  line: ServerLine & { readonly options: { readonly id?: string } },
  store: TaskStore,
): Promise<ChosenTask> {
  const { serverCommand, options } = line;
  const words = options.id === undefined ? line.words : [...line.words, options.id];
  const id = words.at(-1);
  if (id === undefined || id === '')
    throw new WorkbenchError('usage', 'No task is named.', { hint: howToName });
  const server = words.slice(0, -1);
  const given = id.trimStart().startsWith('{') ? referenceIn(id) : undefined;
  const stored = given === undefined ? await storedTask(id, store) : await knownTask(given, store);
  const reference = given ?? stored?.reference;
  if (server.length > 0 || serverCommand.length > 0) {
    if (reference !== undefined) return chosen({ ...line, words: server }, reference);
    return {
      line: { ...line, words: server },
      referenceFor: (client) => client.tasks.reference(id, unknownCall),
    };
  }
  if (reference === undefined)
    throw new WorkbenchError('usage', `No stored task has the id "${id}".`, { hint: howToName });
  return chosen(lineTo(line, stored, reference), reference);
}

const howToName =
  'See the stored tasks: tenon tasks list. For other tasks name the server too: tenon tasks get SERVER ID.';

/** The call of a task that another program has started. */
const unknownCall = { name: 'unknown' };

function chosen(line: ServerLine, reference: TaskReference): ChosenTask {
  const { options } = line;
  const open = {
    ...line.open,
    ...(options.revision === undefined && { revisions: revisionsWith(reference.wire) }),
  };
  return { line: { ...line, open }, referenceFor: async () => reference };
}

/** The revisions that have the tasks of one kind. */
function revisionsWith(wire: TaskWire): readonly string[] {
  return revisions
    .filter(({ rules, lifecycle }) => (wire === 'core' ? rules.tasks : lifecycle === 'stateless'))
    .map(({ id }) => id);
}

/** Returns the line that leads back to the server of a task. */
function lineTo(line: ServerLine, stored: StoredTask | undefined, { endpoint }: TaskReference): ServerLine {
  if (stored === undefined) {
    if (URL.canParse(endpoint)) return { ...line, words: [endpoint] };
    throw new WorkbenchError('usage', `The way to the server "${endpoint}" is not known.`, {
      hint: howToName,
    });
  }
  const { server, command = [], cwd } = stored.way;
  const words = server === undefined ? [] : [server];
  const options = cwd === undefined ? line.options : { cwd, ...line.options };
  return { ...line, words, serverCommand: command, options };
}

async function storedTask(id: string, store: TaskStore): Promise<StoredTask | undefined> {
  const tasks = await store.list();
  const exact = tasks.filter(({ reference }) => reference.taskId === id);
  const fitting =
    exact.length > 0 || id.length < shortest
      ? exact
      : tasks.filter(({ reference }) => reference.taskId.startsWith(id));
  if (fitting.length <= 1) return fitting[0];
  const list = fitting.map((task) => `  ${task.reference.taskId}  ${describeWay(task.way)}`).join('\n');
  throw new WorkbenchError('usage', `"${id}" fits ${fitting.length} stored tasks:\n${list}`, {
    hint: 'Write more of the id, or name the server before it.',
  });
}

async function knownTask(reference: TaskReference, store: TaskStore): Promise<StoredTask | undefined> {
  const tasks = await store.list();
  return tasks.find(
    (task) => task.reference.taskId === reference.taskId && task.reference.endpoint === reference.endpoint,
  );
}

function referenceIn(text: string): TaskReference {
  const value = parseJsonObject(text, 'The task reference');
  if (isReference(value)) return value;
  throw new WorkbenchError(
    'usage',
    'The JSON is not a task reference: endpoint, wire, taskId and call are needed.',
    {
      hint: 'Pass the reference as tenon call --task --json printed it.',
    },
  );
}
