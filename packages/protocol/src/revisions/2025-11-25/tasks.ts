import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import {
  anInteger,
  aString,
  define,
  message,
  type ObjectShape,
  type Parts,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf, rootProblem } from '../../json-rpc/check.js';
import { messageMeta, requestMeta } from '../2024-11-05/content.js';
import { emptyResult } from '../2024-11-05/lifecycle.js';
import { listResult, pageParams } from '../2024-11-05/resources.js';

const noIntegerOrNull = rootProblem('expected an integer or null');

const ttl: WireShape = plain((value) =>
  value === null || Number.isInteger(value) ? undefined : noIntegerOrNull,
);

const required: Parts = {
  taskId: aString,
  status: plain(oneOf('working', 'input_required', 'completed', 'failed', 'cancelled')),
  createdAt: aString,
  lastUpdatedAt: aString,
  ttl,
};
const optional: Parts = { statusMessage: aString, pollInterval: anInteger };

/** The request to run a request as a task. */
export const task: ObjectShape = define({}, { ttl: anInteger });

/** The immediate answer to a request that runs as a task. */
export const createTaskResult: ObjectShape = message(
  [],
  { task: define(required, optional) },
  { _meta: messageMeta },
);

const taskParams = message([], { taskId: aString }, { _meta: requestMeta });
const taskResult = message([], required, { ...optional, _meta: messageMeta });

const [listed, lenient] = listResult([], 'tasks', define(required, optional));
const open = { open: true } as const;

/** Requests about tasks, sent by either side to the side that runs them. */
export const taskRequests: Rows<RequestRow> = {
  'tasks/get': request(taskParams, taskResult, open),
  'tasks/result': request(taskParams, emptyResult, open),
  'tasks/list': request(pageParams, listed, { ...lenient, ...open }),
  'tasks/cancel': request(taskParams, taskResult, open),
};

export const taskNotifications: Rows<NotificationRow> = {
  'notifications/tasks/status': notification(
    message([], required, { ...optional, _meta: messageMeta }),
    open,
  ),
};
