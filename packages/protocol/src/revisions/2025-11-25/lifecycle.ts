import type { NotificationRow, RequestRow } from '../../codec/revision.js';
import { notification, type Rows } from '../../codec/rows.js';
import { aRecord, aToken, define, grow } from '../../codec/shape.js';
import { cancelledParams, initializeRequest } from '../2024-11-05/lifecycle.js';
import { serverCapabilities as serverCapabilitiesBefore } from '../2025-03-26/revision.js';
import { clientCapabilities as clientCapabilitiesBefore } from '../2025-06-18/revision.js';
import { implementation } from './content.js';

const clientTasks = define(
  {},
  {
    list: aRecord,
    cancel: aRecord,
    requests: define(
      {},
      { sampling: define({}, { createMessage: aRecord }), elicitation: define({}, { create: aRecord }) },
    ),
  },
);

const serverTasks = define(
  {},
  { list: aRecord, cancel: aRecord, requests: define({}, { tools: define({}, { call: aRecord }) }) },
);

const clientCapabilities = grow(clientCapabilitiesBefore, {
  optional: {
    sampling: define({}, { context: aRecord, tools: aRecord }),
    elicitation: define({}, { form: aRecord, url: aRecord }),
    tasks: clientTasks,
  },
});

const serverCapabilities = grow(serverCapabilitiesBefore, { optional: { tasks: serverTasks } });

export const initialize: Rows<RequestRow> = initializeRequest({
  clientCapabilities,
  serverCapabilities,
  implementation,
});

/** Tasks are cancelled by a request of their own, so a cancellation may name no request. */
export const cancelled: Rows<NotificationRow> = {
  'notifications/cancelled': notification(grow(cancelledParams, { optional: { requestId: aToken } })),
};
