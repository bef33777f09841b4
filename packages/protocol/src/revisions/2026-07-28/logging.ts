import { oneOf } from '../../check.js';
import { logLevels } from '../../features/logging.js';
import type { NotificationRow } from '../../revision.js';
import { aString, aValue, type Kind, message, plain } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { notification, type Rows } from '../rows.js';
import { noticeMeta } from './metadata.js';

export const level: Kind = plain(oneOf(...logLevels));

/** @deprecated by this revision: log to stderr or through OpenTelemetry. */
export const logNotices: Rows<NotificationRow> = {
  'notifications/message': notification(
    message(neutral.logParams, { level, data: aValue }, { logger: aString, _meta: noticeMeta }),
  ),
};
