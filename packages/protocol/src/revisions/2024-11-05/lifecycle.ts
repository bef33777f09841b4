import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  aNumber,
  aRecord,
  aString,
  aToken,
  type Definition,
  define,
  mapping,
  message,
  type WireShape,
} from '../../codec/shape.js';
import { implementation, messageMeta, requestMeta } from './content.js';

/** Capabilities without settings in this revision. */
const bareCapability: WireShape = { ...aRecord, write: define({}).write };

export const clientCapabilities: Definition = define(
  {},
  {
    experimental: mapping(aRecord),
    roots: define({}, { listChanged: aBoolean }),
    sampling: bareCapability,
  },
);

export const serverCapabilities: Definition = define(
  {},
  {
    experimental: mapping(aRecord),
    logging: aRecord,
    prompts: define({}, { listChanged: aBoolean }),
    resources: define({}, { subscribe: aBoolean, listChanged: aBoolean }),
    tools: define({}, { listChanged: aBoolean }),
  },
);

export const initializeParams: Definition = message(
  neutral.initializeParams,
  { protocolVersion: aString, capabilities: clientCapabilities, clientInfo: implementation },
  { _meta: requestMeta },
);

export const initializeResult: Definition = message(
  neutral.initializeResult,
  { protocolVersion: aString, capabilities: serverCapabilities, serverInfo: implementation },
  { instructions: aString, _meta: messageMeta },
);

/** Request params with nothing but metadata. */
export const noParams: Definition = message(neutral.noParams, {}, { _meta: requestMeta });

/** Notification params with nothing but metadata. */
export const noNotificationParams: Definition = message(neutral.noParams, {}, { _meta: messageMeta });

export const emptyResult: Definition = message(neutral.emptyResult, {}, { _meta: messageMeta });

export const ping: Rows<RequestRow> = { ping: request(noParams, emptyResult) };

export const initialize: Rows<RequestRow> = { initialize: request(initializeParams, initializeResult) };

export const initialized: Rows<NotificationRow> = {
  'notifications/initialized': notification(noNotificationParams),
};

export const progressParams: Definition = message(
  neutral.progressParams,
  { progressToken: aToken, progress: aNumber },
  { total: aNumber, _meta: messageMeta },
);

export const cancelledParams: Definition = message(
  neutral.cancelledParams,
  { requestId: aToken },
  { reason: aString, _meta: messageMeta },
);

/** Notifications about a request in flight, which either side sends. */
export const inFlight: Rows<NotificationRow> = {
  'notifications/cancelled': notification(cancelledParams),
  'notifications/progress': notification(progressParams),
};
