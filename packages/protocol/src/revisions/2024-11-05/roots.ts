import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import { aString, type Definition, define, listOf, message, type WireShape } from '../../codec/shape.js';
import { messageMeta } from './annotations.js';
import { noNotice, noParams } from './lifecycle.js';

export const root: Definition = define({ uri: aString }, { name: aString });

/** The roots request, given what a root is. */
export function rootRequests(shape: WireShape): Rows<RequestRow> {
  const result = message(neutral.listRootsResult, { roots: listOf(shape) }, { _meta: messageMeta });
  return { 'roots/list': request(noParams, result) };
}

export const roots: Rows<RequestRow> = rootRequests(root);

export const rootNotices: Rows<NotificationRow> = {
  'notifications/roots/list_changed': notification(noNotice),
};
