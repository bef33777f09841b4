import * as neutral from '../../codec/neutral-keys.js';
import { lastPage, objectProperties, typedSchemas, validItems } from '../../codec/repairs.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import {
  anInteger,
  aString,
  define,
  listOf,
  message,
  type ObjectShape,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { rootProblem, string } from '../../json-rpc/check.js';
import { annotations, messageMeta, requestMeta, resourceContents } from './content.js';
import { emptyResult } from './lifecycle.js';

export const resource: ObjectShape = define(
  { uri: aString, name: aString },
  { description: aString, mimeType: aString, size: anInteger, annotations },
);

export const resourceTemplate: ObjectShape = define(
  { uriTemplate: aString, name: aString },
  { description: aString, mimeType: aString, annotations },
);

export const pageParams: ObjectShape = message(
  neutral.pageParams,
  {},
  { cursor: aString, _meta: requestMeta },
);

export const resourceParams: ObjectShape = message(
  neutral.resourceParams,
  { uri: aString },
  { _meta: requestMeta },
);

export const readResourceParams: ObjectShape = message(
  neutral.readResourceParams,
  { uri: aString },
  { _meta: requestMeta },
);

const noCursor = rootProblem('expected a string that is not empty');

// An empty cursor means no cursor.
const cursor: WireShape = plain((value) => (value === '' ? noCursor : string(value)));

/** A list request: its answer holds one page of items under `member`. */
export function listing(keys: neutral.NeutralKeys, member: string, item: WireShape): RequestRow {
  return request(pageParams, ...listResult(keys, member, item));
}

/** The result of a list request, and its leniencies. */
export function listResult(
  keys: neutral.NeutralKeys,
  member: string,
  item: WireShape,
): [result: WireShape, more: Required<Pick<RequestRow, 'repairs'>>] {
  const members = { nextCursor: cursor, _meta: messageMeta };
  const result = message(keys, { [member]: listOf(item) }, members);
  return [result, { repairs: [lastPage, objectProperties, typedSchemas, validItems(member, item)] }];
}

/** Resource requests, given the shapes that change between revisions. */
export function resourceRequests(shapes: {
  readonly resource: WireShape;
  readonly resourceTemplate: WireShape;
  readonly resourceContents: WireShape;
}): Rows<RequestRow> {
  const contents = { contents: listOf(shapes.resourceContents) };
  const readResult = message(neutral.readResourceResult, contents, { _meta: messageMeta });
  return {
    'resources/list': listing(neutral.listResourcesResult, 'resources', shapes.resource),
    'resources/templates/list': listing(
      neutral.listResourceTemplatesResult,
      'resourceTemplates',
      shapes.resourceTemplate,
    ),
    'resources/read': request(readResourceParams, readResult),
  };
}

export const resources: Rows<RequestRow> = {
  ...resourceRequests({ resource, resourceTemplate, resourceContents }),
  'resources/subscribe': request(resourceParams, emptyResult),
  'resources/unsubscribe': request(resourceParams, emptyResult),
};

/** Notifications of changed lists and resources, given their metadata. */
export function changeNotifications(_meta: WireShape): Rows<NotificationRow> {
  const listChanged = notification(message(neutral.noParams, {}, { _meta }));
  return {
    'notifications/tools/list_changed': listChanged,
    'notifications/prompts/list_changed': listChanged,
    'notifications/resources/list_changed': listChanged,
    'notifications/resources/updated': notification(
      message(neutral.resourceUpdatedParams, { uri: aString }, { _meta }),
    ),
  };
}
