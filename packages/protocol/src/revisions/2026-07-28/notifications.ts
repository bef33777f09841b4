import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import {
  aNumber,
  aString,
  aToken,
  aValue,
  type Definition,
  message,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { logLevels } from '../../model/logging.js';
import { notificationMeta } from './content.js';

/** Notification params with nothing but metadata. */
export const noNotificationParams: Definition = message(neutral.noParams, {}, { _meta: notificationMeta });

export const cancelled: Rows<NotificationRow> = {
  'notifications/cancelled': notification(
    message(neutral.cancelledParams, { requestId: aToken }, { reason: aString, _meta: notificationMeta }),
  ),
};

export const progress: Rows<NotificationRow> = {
  'notifications/progress': notification(
    message(
      neutral.progressParams,
      { progressToken: aToken, progress: aNumber },
      { total: aNumber, message: aString, _meta: notificationMeta },
    ),
  ),
};

export const level: WireShape = plain(oneOf(...logLevels));

/** @deprecated by this revision: log to stderr or through OpenTelemetry. */
export const logNotifications: Rows<NotificationRow> = {
  'notifications/message': notification(
    message(neutral.logParams, { level, data: aValue }, { logger: aString, _meta: notificationMeta }),
  ),
};
