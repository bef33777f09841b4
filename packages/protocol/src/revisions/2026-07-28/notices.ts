import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aNumber, aString, aToken, type Definition, message } from '../../codec/shape.js';
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
