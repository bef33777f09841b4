import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import {
  aBoolean,
  aNumber,
  aString,
  aToken,
  define,
  listOf,
  message,
  type ObjectShape,
} from '../../codec/shape.js';
import { logNotification } from '../2024-11-05/logging.js';
import { changeNotifications } from '../2024-11-05/resources.js';
import { notificationMeta } from './content.js';

const _meta = notificationMeta;

export const cancelled: Rows<NotificationRow> = {
  'notifications/cancelled': notification(
    message(neutral.cancelledParams, { requestId: aToken }, { reason: aString, _meta }),
  ),
};

/** The filter of `subscriptions/listen`, and of its acknowledgement. */
export const listenFilter: ObjectShape = define(
  {},
  {
    toolsListChanged: aBoolean,
    promptsListChanged: aBoolean,
    resourcesListChanged: aBoolean,
    resourceSubscriptions: listOf(aString),
  },
);

/** The notifications of servers. Log messages are deprecated by this revision: log to stderr or through OpenTelemetry. */
export const serverNotifications: Rows<NotificationRow> = {
  ...cancelled,
  'notifications/progress': notification(
    message(
      neutral.progressParams,
      { progressToken: aToken, progress: aNumber },
      { total: aNumber, message: aString, _meta },
    ),
  ),
  ...logNotification(_meta),
  ...changeNotifications(_meta),
  'notifications/subscriptions/acknowledged': notification(
    message(neutral.acknowledgedParams, { notifications: listenFilter }, { _meta }),
  ),
};
