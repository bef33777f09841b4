import { oneOf } from '../../json-rpc/check.js';
import { logLevels } from '../../model/server/logging.js';
import * as neutral from '../neutral-keys.js';
import type { NotificationRow } from '../revision.js';
import { notification, type Rows } from '../rows.js';
import { aString, aValue, message, plain, type WireShape } from '../shape.js';
import { noticeMeta } from './shapes/metadata.js';

export const level: WireShape = plain(oneOf(...logLevels));

/** @deprecated by this revision: log to stderr or through OpenTelemetry. */
export const logNotices: Rows<NotificationRow> = {
  'notifications/message': notification(
    message(neutral.logParams, { level, data: aValue }, { logger: aString, _meta: noticeMeta }),
  ),
};
