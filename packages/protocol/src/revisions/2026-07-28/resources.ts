import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aString, define, listOf, message } from '../../codec/shape.js';
import { annotations, definitionMembers, notificationMeta, resource, resourceContents } from './content.js';
import { answerMembers, inputRequiredRow } from './input.js';
import { noNotificationParams } from './notifications.js';
import { atLeastZero, cacheMembers, completeResult, hinted, listing } from './results.js';

const resourceTemplate = define(
  { uriTemplate: aString, name: aString },
  { ...definitionMembers, mimeType: aString, annotations },
);

const readResult = completeResult(
  neutral.readResourceResult,
  { contents: listOf(resourceContents) },
  cacheMembers,
);

export const resources: Rows<RequestRow> = {
  'resources/list': listing(neutral.listResourcesResult, 'resources', resource),
  'resources/templates/list': listing(
    neutral.listResourceTemplatesResult,
    'resourceTemplates',
    resourceTemplate,
  ),
  'resources/read': inputRequiredRow(
    message(neutral.readResourceParams, { uri: aString }, answerMembers),
    hinted(readResult),
    { decodeResult: atLeastZero, named: 'uri' },
  ),
};

export const resourceNotifications: Rows<NotificationRow> = {
  'notifications/resources/list_changed': notification(noNotificationParams),
  'notifications/resources/updated': notification(
    message(neutral.resourceUpdatedParams, { uri: aString }, { _meta: notificationMeta }),
  ),
};
