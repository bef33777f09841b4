import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import { aString, aValue, message, plain, type WireShape } from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { logLevels } from '../../model/logging.js';
import { requestMeta } from './content.js';
import { emptyResult } from './lifecycle.js';

export const level: WireShape = plain(oneOf(...logLevels));

export const logging: Rows<RequestRow> = {
  'logging/setLevel': request(
    message(neutral.setLevelParams, { level }, { _meta: requestMeta }),
    emptyResult,
  ),
};

/** The notification of a log message, given its metadata. */
export function logNotification(_meta: WireShape): Rows<NotificationRow> {
  const params = message(neutral.logParams, { level, data: aValue }, { logger: aString, _meta });
  return { 'notifications/message': notification(params) };
}
