import {
  encodeParams,
  encodeResult,
  type InputRequest,
  type Revision,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { toDetailedTask } from '../model/extension-wire.js';
import { type TaskRecord, taskOf } from './task-record.js';

/** Returns a task with the data of its status, in the shapes of a revision in which tasks are an extension. */
export function detailedTask(record: TaskRecord, revision: Revision): UnknownObject {
  const { inputRequests, result, ...task } = taskOf(record);
  return toDetailedTask({
    ...task,
    ...(inputRequests !== undefined && { inputRequests: requestsIn(revision, inputRequests) }),
    // As the call would have been answered, where each result names its type.
    ...(result !== undefined && { result: { resultType: 'complete', ...resultIn(revision, result) } }),
  });
}

/** Returns the result of a tool call in the shape of a revision. */
export function resultIn(revision: Revision, result: UnknownObject): UnknownObject {
  const row = revision.requests.client.get('tools/call');
  return row === undefined ? result : encodeResult(row, result);
}

function requestsIn(
  revision: Revision,
  requests: Readonly<Record<string, InputRequest>>,
): Record<string, InputRequest> {
  const written = Object.entries(requests).map(([key, { method, params }]): [string, InputRequest] => {
    const row = revision.inputRequests.get(method);
    const sent =
      params !== undefined && row !== undefined ? encodeParams(row, params as UnknownObject) : params;
    return [key, { method, ...(sent !== undefined && { params: sent }) } as InputRequest];
  });
  return Object.fromEntries(written);
}
