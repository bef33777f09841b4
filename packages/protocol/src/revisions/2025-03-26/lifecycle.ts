import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import { aRecord, aString, type Definition, grow } from '../../codec/shape.js';
import * as before from '../2024-11-05/lifecycle.js';
import { inFlight, progressParams } from '../2024-11-05/progress.js';

export const serverCapabilities: Definition = grow(before.serverCapabilities, {
  optional: { completions: aRecord },
});

export const initialize: Rows<RequestRow> = {
  initialize: request(
    before.initializeParams,
    grow(before.initializeResult, { required: { capabilities: serverCapabilities } }),
  ),
};

/** Progress may have a message. */
export const spokenProgress: Rows<NotificationRow> = {
  ...inFlight,
  'notifications/progress': notification(grow(progressParams, { optional: { message: aString } })),
};
