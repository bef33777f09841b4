import * as neutral from '../neutral-keys.js';
import type { NotificationRow } from '../revision.js';
import { notification, type Rows } from '../rows.js';
import { aNumber, aString, aToken, type Definition, message } from '../shape.js';
import { noticeMeta } from './shapes/metadata.js';

/** Notification params with nothing but metadata. */
export const noNotice: Definition = message(neutral.noParams, {}, { _meta: noticeMeta });

export const cancelled: Rows<NotificationRow> = {
  'notifications/cancelled': notification(
    message(neutral.cancelledParams, { requestId: aToken }, { reason: aString, _meta: noticeMeta }),
  ),
};

export const progress: Rows<NotificationRow> = {
  'notifications/progress': notification(
    message(
      neutral.progressParams,
      { progressToken: aToken, progress: aNumber },
      { total: aNumber, message: aString, _meta: noticeMeta },
    ),
  ),
};
