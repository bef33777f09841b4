import type { NotificationRow, RequestRow } from '../../revision.js';
import { anInteger, aString, type Definition, define, type Kind, listOf, message } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { notification, type Rows, request } from '../rows.js';
import { annotations, messageMeta, requestMeta } from './annotations.js';
import { resourceContents } from './content.js';
import { emptyResult, noNotice } from './lifecycle.js';

export const resource: Definition = define(
  { uri: aString, name: aString },
  { description: aString, mimeType: aString, size: anInteger, annotations },
);

export const resourceTemplate: Definition = define(
  { uriTemplate: aString, name: aString },
  { description: aString, mimeType: aString, annotations },
);

export const pageParams: Definition = message(
  neutral.pageParams,
  {},
  { cursor: aString, _meta: requestMeta },
);

export const resourceParams: Definition = message(
  neutral.resourceParams,
  { uri: aString },
  { _meta: requestMeta },
);

export const readResourceParams: Definition = message(
  neutral.readResourceParams,
  { uri: aString },
  { _meta: requestMeta },
);

/** What one page of a list adds to its items. */
export const pageMembers: Readonly<Record<string, Kind>> = { nextCursor: aString, _meta: messageMeta };

/** Resource requests, given the kinds that change between revisions. */
export function resourceRequests(kinds: {
  readonly resource: Kind;
  readonly resourceTemplate: Kind;
  readonly resourceContents: Kind;
}): Rows<RequestRow> {
  const listResult = message(neutral.listResourcesResult, { resources: listOf(kinds.resource) }, pageMembers);
  const templates = { resourceTemplates: listOf(kinds.resourceTemplate) };
  const templatesResult = message(neutral.listResourceTemplatesResult, templates, pageMembers);
  const contents = { contents: listOf(kinds.resourceContents) };
  const readResult = message(neutral.readResourceResult, contents, { _meta: messageMeta });
  return {
    'resources/list': request(pageParams, listResult),
    'resources/templates/list': request(pageParams, templatesResult),
    'resources/read': request(readResourceParams, readResult),
  };
}

export const resources: Rows<RequestRow> = {
  ...resourceRequests({ resource, resourceTemplate, resourceContents }),
  'resources/subscribe': request(resourceParams, emptyResult),
  'resources/unsubscribe': request(resourceParams, emptyResult),
};

export const resourceNotices: Rows<NotificationRow> = {
  'notifications/resources/list_changed': notification(noNotice),
  'notifications/resources/updated': notification(
    message(neutral.resourceUpdatedParams, { uri: aString }, { _meta: messageMeta }),
  ),
};
