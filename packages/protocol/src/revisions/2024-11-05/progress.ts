import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aNumber, aString, aToken, type Definition, message } from '../../codec/shape.js';
import { messageMeta } from './annotations.js';

export const progressParams: Definition = message(
  neutral.progressParams,
  { progressToken: aToken, progress: aNumber },
  { total: aNumber, _meta: messageMeta },
);

export const cancelledParams: Definition = message(
  neutral.cancelledParams,
  { requestId: aToken },
  { reason: aString, _meta: messageMeta },
);

/** Notifications about a request in flight, which either side sends. */
export const inFlight: Rows<NotificationRow> = {
  'notifications/cancelled': notification(cancelledParams),
  'notifications/progress': notification(progressParams),
};
