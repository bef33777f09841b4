import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aString, define, listOf, message } from '../../codec/shape.js';
import { answerMembers, inputRequiredRow } from './input.js';
import { noNotice } from './notices.js';
import { listing } from './pagination.js';
import { atLeastZero, cacheMembers, completeResult, hinted } from './results.js';
import { resource, resourceContents } from './shapes/content.js';
import { annotations, definitionMembers, noticeMeta } from './shapes/metadata.js';

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

export const resourceNotices: Rows<NotificationRow> = {
  'notifications/resources/list_changed': notification(noNotice),
  'notifications/resources/updated': notification(
    message(neutral.resourceUpdatedParams, { uri: aString }, { _meta: noticeMeta }),
  ),
};
