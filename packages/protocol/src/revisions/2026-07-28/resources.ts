import type { NotificationRow, RequestRow } from '../../revision.js';
import { aString, define, listOf, message } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { notification, type Rows } from '../rows.js';
import { resource, resourceContents } from './content.js';
import { answerMembers, askingRow } from './input.js';
import { annotations, definitionMembers, noticeMeta } from './metadata.js';
import { noNotice } from './notices.js';
import { listing } from './pagination.js';
import { atLeastZero, cacheMembers, completeResult, hinted } from './results.js';

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
  'resources/read': askingRow(
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
