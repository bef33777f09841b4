import type { Codec, RequestRow, Revision, Rules } from '../../codec/revision.js';
import { type Rows, type Tables, tabulated } from '../../codec/rows.js';
import { anything } from '../../json-rpc/check.js';
import { ErrorCode } from '../../json-rpc/errors.js';
import { rootNotifications, roots, sampling } from './client-features.js';
import { completion } from './completion.js';
import { messageMeta } from './content.js';
import { inFlight, initialize, initialized, ping } from './lifecycle.js';
import { logging, logNotification } from './logging.js';
import { prompts } from './prompts.js';
import { changeNotifications, resources } from './resources.js';
import { tools } from './tools.js';

/** Messages of the handshake revisions have no client info. */
const handshakeCodec: Codec = {
  stampRequest: (params) => params,
  resultText: (result) => JSON.stringify(result),
  stamp: anything,
  readStamp: () => undefined,
  unstampResult: (result) => result,
};

const inputRequests: Rows<RequestRow> = { ...roots, ...sampling };

/** Exported for later revisions, which extend it. */
export const tables: Tables = {
  clientRequests: { ...initialize, ...ping, ...tools, ...resources, ...prompts, ...completion, ...logging },
  serverRequests: { ...ping, ...inputRequests },
  clientNotifications: { ...initialized, ...inFlight, ...rootNotifications },
  serverNotifications: { ...inFlight, ...logNotification(messageMeta), ...changeNotifications(messageMeta) },
  inputRequests,
};

/** Exported for later revisions, which extend it. */
export const rules: Rules = {
  batching: false,
  inputRequestMode: 'request',
  badToolInput: 'protocol-error',
  notFoundCode: ErrorCode.resourceNotFound,
  logging: 'session',
  completionsDeclared: false,
  changes: 'subscribe',
  standalone: false,
  resumable: false,
  primedStreams: false,
  versionHeader: false,
  mirroredHeaders: false,
  unreadableId: null,
  serverCancels: 'requests',
  urlElicitationError: false,
  elicitationIds: false,
  tasks: false,
  inputFeatures: { elicit: false, url: false, samplingTools: false },
};

/** The first published revision. https://modelcontextprotocol.io/specification/2024-11-05 */
export const revision20241105: Revision = {
  id: '2024-11-05',
  lifecycle: 'handshake',
  ...tabulated(tables),
  codec: handshakeCodec,
  rules,
};
