import { encodeInputRequest, encodeToolResult, type Revision, type UnknownObject } from '@tenon/mcp-protocol';
import { toDetailedTask } from '../model/extension-wire.js';
import { type TaskRecord, taskOf } from './task-record.js';

/** Returns a task with the data of its status, in the shapes of a revision in which tasks are an extension. */
export function detailedTask(record: TaskRecord, revision: Revision): UnknownObject {
  const { inputRequests = {}, ...task } = taskOf(record);
  const sent = Object.entries(inputRequests).map(([key, one]) => [key, encodeInputRequest(revision, one)]);
  return toDetailedTask({
    ...task,
    inputRequests: Object.fromEntries(sent),
    // As the call would have been answered, where each result names its type.
    ...(record.result !== undefined && {
      result: { resultType: 'complete', ...encodeToolResult(revision, record.result) },
    }),
  });
}
