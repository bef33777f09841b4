import { string } from '../../check.js';
import type { NotificationRow, RequestRow } from '../../revision.js';
import {
  anInteger,
  aString,
  type Definition,
  define,
  flawed,
  type Kind,
  listOf,
  message,
  plain,
} from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { lastPage, objectProperties, validItems } from '../repairs.js';
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

const noCursor = flawed('expected a string that is not empty');

// A server has no use for an empty cursor, and those that send one mean none.
const cursor: Kind = plain((value) => (value === '' ? noCursor : string(value)));

/** A list request: its answer holds one page of items under `member`. */
export function listing(keys: neutral.NeutralKeys, member: string, item: Kind): RequestRow {
  return request(pageParams, ...listResult(keys, member, item));
}

/** The result of a list request, and how a broken one is read. */
export function listResult(
  keys: neutral.NeutralKeys,
  member: string,
  item: Kind,
): [result: Kind, more: Required<Pick<RequestRow, 'repairs'>>] {
  const members = { nextCursor: cursor, _meta: messageMeta };
  const result = message(keys, { [member]: listOf(item) }, members);
  return [result, { repairs: [lastPage, objectProperties, validItems(member, item)] }];
}

/** Resource requests, given the kinds that change between revisions. */
export function resourceRequests(kinds: {
  readonly resource: Kind;
  readonly resourceTemplate: Kind;
  readonly resourceContents: Kind;
}): Rows<RequestRow> {
  const contents = { contents: listOf(kinds.resourceContents) };
  const readResult = message(neutral.readResourceResult, contents, { _meta: messageMeta });
  return {
    'resources/list': listing(neutral.listResourcesResult, 'resources', kinds.resource),
    'resources/templates/list': listing(
      neutral.listResourceTemplatesResult,
      'resourceTemplates',
      kinds.resourceTemplate,
    ),
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
