import { isRecord } from '@tenon/foundation';
import type { ExtensionServer } from '@tenon/mcp-client/extension';
import { type CallToolParams, type RevisionTraits, SessionError } from '@tenon/mcp-protocol';
import { inCore, inExtension } from '../model/methods.js';

/** The protocol of a task: the core of 2025-11-25, or the extension. */
export type TaskWire = 'core' | 'extension';

/** Finds a task again, also in another process. Plain JSON. Who has it may read the task, as far as the server allows: keep it secret. */
export interface TaskReference {
  /** The server, as `ExtensionServer` identifies it. */
  readonly endpoint: string;
  readonly wire: TaskWire;
  readonly taskId: string;
  /** The tool call that became the task. */
  readonly call: { readonly name: string; readonly arguments?: { readonly [key: string]: unknown } };
}

const longestEndpoint = 8_192;
const longestName = 1_024;

/** Longer ids cannot be repeated in a header. */
const longestTaskId = 1_024;

/** Returns the protocol of tasks in a revision; undefined if the revision has none. */
export function wireIn(revision: RevisionTraits): TaskWire | undefined {
  if (inCore(revision)) return 'core';
  return inExtension(revision) ? 'extension' : undefined;
}

export function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestTaskId;
}

/** Returns the reference of a task that a server has created. */
export function referenceTo(
  { endpoint }: ExtensionServer,
  task: { readonly wire: TaskWire; readonly taskId: string },
  { name, arguments: args }: Pick<CallToolParams, 'name' | 'arguments'>,
): TaskReference {
  const call = args === undefined ? { name } : { name, arguments: args };
  return Object.freeze({ endpoint, wire: task.wire, taskId: task.taskId, call: Object.freeze(call) });
}

/**
 * Returns a reference without further members.
 * @throws TypeError if it is malformed.
 */
export function requireReference(given: unknown): TaskReference {
  const { endpoint, wire, taskId, call } = isRecord(given) ? given : {};
  if (typeof endpoint !== 'string' || endpoint.length > longestEndpoint)
    throw malformed('endpoint must be the text of the reference that onTask received');
  if (wire !== 'core' && wire !== 'extension') throw malformed('wire must be "core" or "extension"');
  if (!isTaskId(taskId)) throw malformed(`taskId must be a text of 1 to ${longestTaskId} characters`);
  const { name, arguments: args } = isRecord(call) ? call : {};
  if (typeof name !== 'string' || name === '' || name.length > longestName)
    throw malformed('call.name must be the name of the tool');
  if (args !== undefined && !isRecord(args)) throw malformed('call.arguments must be an object, or absent');
  return { endpoint, wire, taskId, call: args === undefined ? { name } : { name, arguments: args } };
}

/** @throws SessionError `refused` if the task belongs to another server, `not-in-revision` if this one has other tasks now. */
export function requireHere({ endpoint, wire, taskId }: TaskReference, server: ExtensionServer): void {
  if (endpoint !== server.endpoint)
    throw new SessionError(
      'refused',
      `The task ${taskId} belongs to the server "${endpoint}", and this client is connected to "${server.endpoint}".`,
    );
  const now = wireIn(server.revision);
  if (now === wire) return;
  throw new SessionError(
    'not-in-revision',
    `The task ${taskId} was created as a task of ${nameOf(wire)}, and the revision in use has ${now === undefined ? 'no tasks' : `tasks of ${nameOf(now)}`}.`,
  );
}

function nameOf(wire: TaskWire): string {
  return wire === 'core' ? 'the core protocol' : 'the extension';
}

function malformed(problem: string): TypeError {
  return new TypeError(`The task reference is malformed: ${problem}.`);
}
