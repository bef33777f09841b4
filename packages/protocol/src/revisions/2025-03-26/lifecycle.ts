import type { NotificationRow, RequestRow } from '../../revision.js';
import * as before from '../2024-11-05/lifecycle.js';
import { inFlight, progressParams } from '../2024-11-05/progress.js';
import { aRecord, aString, type Definition, grow } from '../kind.js';
import { notification, type Rows, request } from '../rows.js';

export const serverCapabilities: Definition = grow(before.serverCapabilities, {
  optional: { completions: aRecord },
});

export const initialize: Rows<RequestRow> = {
  initialize: request(
    before.initializeParams,
    grow(before.initializeResult, { required: { capabilities: serverCapabilities } }),
  ),
};

/** Progress may say in words how far it is. */
export const spokenProgress: Rows<NotificationRow> = {
  ...inFlight,
  'notifications/progress': notification(grow(progressParams, { optional: { message: aString } })),
};
