import * as neutral from '../../codec/neutral-keys.js';
import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows, request } from '../../codec/rows.js';
import {
  aBoolean,
  aNumber,
  aRecord,
  aString,
  aToken,
  define,
  mapping,
  message,
  type ObjectShape,
  type WireShape,
} from '../../codec/shape.js';
import { implementation, messageMeta, requestMeta } from './content.js';

/** Capabilities without settings in this revision. */
const bareCapability: WireShape = { ...aRecord, write: define({}).write };

export const clientCapabilities: ObjectShape = define(
  {},
  {
    experimental: mapping(aRecord),
    roots: define({}, { listChanged: aBoolean }),
    sampling: bareCapability,
  },
);

export const serverCapabilities: ObjectShape = define(
  {},
  {
    experimental: mapping(aRecord),
    logging: aRecord,
    prompts: define({}, { listChanged: aBoolean }),
    resources: define({}, { subscribe: aBoolean, listChanged: aBoolean }),
    tools: define({}, { listChanged: aBoolean }),
  },
);

/** Request params with nothing but metadata. */
export const noParams: ObjectShape = message(neutral.noParams, {}, { _meta: requestMeta });

/** Notification params with nothing but metadata. */
export const noNotificationParams: ObjectShape = message(neutral.noParams, {}, { _meta: messageMeta });

export const emptyResult: ObjectShape = message(neutral.emptyResult, {}, { _meta: messageMeta });

export const ping: Rows<RequestRow> = { ping: request(noParams, emptyResult) };

/** The handshake, given the shapes that change between revisions. */
export function initializeRequest({
  clientCapabilities,
  serverCapabilities,
  implementation,
}: Readonly<
  Record<'clientCapabilities' | 'serverCapabilities' | 'implementation', WireShape>
>): Rows<RequestRow> {
  const protocolVersion = aString;
  return {
    initialize: request(
      message(
        neutral.initializeParams,
        { protocolVersion, capabilities: clientCapabilities, clientInfo: implementation },
        { _meta: requestMeta },
      ),
      message(
        neutral.initializeResult,
        { protocolVersion, capabilities: serverCapabilities, serverInfo: implementation },
        { instructions: aString, _meta: messageMeta },
      ),
    ),
  };
}

export const initialize: Rows<RequestRow> = initializeRequest({
  clientCapabilities,
  serverCapabilities,
  implementation,
});

export const initialized: Rows<NotificationRow> = {
  'notifications/initialized': notification(noNotificationParams),
};

export const progressParams: ObjectShape = message(
  neutral.progressParams,
  { progressToken: aToken, progress: aNumber },
  { total: aNumber, _meta: messageMeta },
);

export const cancelledParams: ObjectShape = message(
  neutral.cancelledParams,
  { requestId: aToken },
  { reason: aString, _meta: messageMeta },
);

/** Notifications about a request in flight, which either side sends. */
export const inFlight: Rows<NotificationRow> = {
  'notifications/cancelled': notification(cancelledParams),
  'notifications/progress': notification(progressParams),
};
