import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import { aBoolean, aString, aToken, define, listOf, message, openObject } from '../../codec/shape.js';
import { MetaKey } from '../../json-rpc/meta.js';
import { implementation, notificationMeta, requestMeta } from './content.js';
import { completeResult } from './results.js';

const filter = define(
  {},
  {
    toolsListChanged: aBoolean,
    promptsListChanged: aBoolean,
    resourcesListChanged: aBoolean,
    resourceSubscriptions: listOf(aString),
  },
);

const listenMeta = openObject({ [MetaKey.subscriptionId]: aToken }, { [MetaKey.serverInfo]: implementation });

export const subscriptions: Rows<RequestRow> = {
  'subscriptions/listen': request(
    message(neutral.listenParams, { notifications: filter }, { _meta: requestMeta }),
    completeResult(neutral.emptyResult, { _meta: listenMeta }),
    { lasting: true },
  ),
};

export const subscriptionNotifications: Rows<NotificationRow> = {
  'notifications/subscriptions/acknowledged': notification(
    message(neutral.acknowledgedParams, { notifications: filter }, { _meta: notificationMeta }),
  ),
};
