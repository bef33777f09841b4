import { oneOf } from '../../check.js';
import { logLevels } from '../../features/logging.js';
import type { NotificationRow, RequestRow } from '../../revision.js';
import { aString, aValue, type Kind, message, plain } from '../kind.js';
import * as neutral from '../neutral-keys.js';
import { notification, type Rows, request } from '../rows.js';
import { messageMeta, requestMeta } from './annotations.js';
import { emptyResult } from './lifecycle.js';

const level: Kind = plain(oneOf(...logLevels));

export const logging: Rows<RequestRow> = {
  'logging/setLevel': request(
    message(neutral.setLevelParams, { level }, { _meta: requestMeta }),
    emptyResult,
  ),
};

export const logNotices: Rows<NotificationRow> = {
  'notifications/message': notification(
    message(neutral.logParams, { level, data: aValue }, { logger: aString, _meta: messageMeta }),
  ),
};
