import type { RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, tabulated } from '../../codec/rows.js';
import { ErrorCode } from '../../json-rpc/errors.js';
import { roots, sampling } from './client-features.js';
import { statelessCodec } from './codec.js';
import { discovery } from './discovery.js';
import { elicitation } from './elicitation.js';
import { cancelled, serverNotifications } from './notifications.js';
import { completion, prompts, resources, subscriptions, tools } from './server-features.js';

const id = '2026-07-28';

const inputRequests: Rows<RequestRow> = { ...elicitation, ...sampling, ...roots };

const rules: Rules = {
  batching: false,
  inputRequestMode: 'in-result',
  badToolInput: 'tool-error',
  notFoundCode: ErrorCode.invalidParams,
  logging: 'request',
  completionsDeclared: true,
  changes: 'listen',
  standalone: true,
  resumable: false,
  primedStreams: false,
  versionHeader: true,
  mirroredHeaders: true,
  unreadableId: undefined,
  serverCancels: 'listen-only',
  urlElicitationError: false,
  elicitationIds: false,
  tasks: false,
  inputFeatures: { elicit: true, url: true, samplingTools: true },
};

/**
 * The stateless revision: no handshake, no requests from the server, input requests inside results.
 * https://modelcontextprotocol.io/specification/2026-07-28/changelog
 */
export const revision20260728: Revision = {
  id,
  lifecycle: 'stateless',
  ...tabulated({
    clientRequests: { ...discovery, ...tools, ...resources, ...prompts, ...completion, ...subscriptions },
    serverRequests: {},
    clientNotifications: cancelled,
    serverNotifications,
    inputRequests,
  }),
  codec: statelessCodec(id),
  rules,
};
