import { object, token } from '../../check.js';
import { MetaKey } from '../../meta.js';
import type { NotificationRow, RequestRow } from '../../revision.js';
import { aBoolean, aString, define, lazily, listOf, message, same } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { notification, type Rows, request } from '../rows.js';
import { implementation, noticeMeta, requestMeta } from './metadata.js';
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

const listenMeta = lazily(
  () => object({ [MetaKey.subscriptionId]: token }, { [MetaKey.serverInfo]: implementation.check }),
  () => same,
);

export const subscriptions: Rows<RequestRow> = {
  'subscriptions/listen': request(
    message(neutral.listenParams, { notifications: filter }, { _meta: requestMeta }),
    completeResult(neutral.emptyResult, { _meta: listenMeta }),
    { lasting: true },
  ),
};

export const subscriptionNotices: Rows<NotificationRow> = {
  'notifications/subscriptions/acknowledged': notification(
    message(neutral.acknowledgedParams, { notifications: filter }, { _meta: noticeMeta }),
  ),
};
