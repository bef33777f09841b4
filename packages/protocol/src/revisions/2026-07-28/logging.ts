import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aString, aValue, message, plain, type WireShape } from '../../codec/shape.js';
import { oneOf } from '../../json-rpc/check.js';
import { logLevels } from '../../model/logging.js';
import { noticeMeta } from './shapes/metadata.js';

export const level: WireShape = plain(oneOf(...logLevels));

/** @deprecated by this revision: log to stderr or through OpenTelemetry. */
export const logNotices: Rows<NotificationRow> = {
  'notifications/message': notification(
    message(neutral.logParams, { level, data: aValue }, { logger: aString, _meta: noticeMeta }),
  ),
};
