import * as neutral from '../neutral-keys.js';
import type { NotificationRow } from '../revision.js';
import { notification, type Rows } from '../rows.js';
import { aNumber, aString, aToken, type Definition, message } from '../shape.js';
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
